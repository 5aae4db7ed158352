import EarshotModel
import EarshotTestKit
import Foundation
import Testing

@Suite struct `The golden files` {
    @Test func `are all there`() {
        #expect(GoldenFile.names("event-").count == 40)
        #expect(GoldenFile.names("server-").count >= 24)
        #expect(GoldenFile.names("client-").count >= 18)
    }

    @Test(arguments: GoldenFile.names("event-"))
    func `of events are read, and written as they were`(name: String) throws {
        let data = try GoldenFile.data(name)
        let event = try JSONDecoder().decode(Event.self, from: data)
        #expect((event.kind == .unknown) == (name == "event-unknown.json"))
        guard event.kind != .unknown else { return }
        #expect(try GoldenFile.value(JSONEncoder().encode(event)) == GoldenFile.value(data))
        #expect(try GoldenFile.value(Data(event.wireBytes)) == GoldenFile.value(data), "written by hand")
    }

    @Test(arguments: GoldenFile.names("client-"))
    func `of clients are read alike by hand and by Codable`(name: String) throws {
        let data = try GoldenFile.data(name)
        let frame = try JSONDecoder().decode(ClientFrame.self, from: data)
        #expect(try GoldenFile.value(JSONEncoder().encode(frame)) == GoldenFile.value(data))
        let reading = Array(data).withUnsafeBufferPointer(ClientFrame.read)
        // What comes rarely is for the complete decoder.
        if ["hello", "ask", "state", "team", "wall", "call", "signal", "check"].allSatisfy({ !name.contains($0) }) {
            #expect(reading == .frame(frame))
        }
    }

    @Test(arguments: GoldenFile.names("server-"))
    func `of the server are read, and written by hand as they were`(name: String) throws {
        let data = try GoldenFile.data(name)
        let frame = try JSONDecoder().decode(ServerFrame.self, from: data)
        #expect(try GoldenFile.value(Data(frame.bytes)) == GoldenFile.value(data))
        #expect(try GoldenFile.value(JSONEncoder().encode(frame)) == GoldenFile.value(data))
    }

    @Test func `say the frame's kind first, for a client that reads no further`() throws {
        for name in GoldenFile.names("server-") {
            let frame = try JSONDecoder().decode(ServerFrame.self, from: GoldenFile.data(name))
            let kind = try #require(
                String(decoding: try GoldenFile.data(name), as: UTF8.self).split(separator: "\"").dropFirst().first)
            #expect(String(decoding: frame.bytes, as: UTF8.self).hasPrefix("{\"\(kind)\":"))
        }
    }
}
