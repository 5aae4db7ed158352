import EarshotModel
import EarshotTestKit
import Foundation
import Testing

/// What is written or read by hand is what the keys of the schema say, whatever the values are.
@Suite struct `A frame that is written or read by hand` {
    static let seeds: [UInt64] = [1, 20_261_122, .max]

    @Test(arguments: seeds) func `is written as the general encoder writes it`(seed: UInt64) throws {
        var values = RandomWire(seed: seed)
        let validator = try SchemaValidator("server-frames")
        var kinds: Set<String> = []
        for _ in 0..<400 {
            let frame = values.serverFrame()
            let (byHand, bySchema) = (Data(frame.bytes), try JSONEncoder().encode(frame))
            #expect(
                try GoldenFile.value(byHand) == GoldenFile.value(bySchema), "\(String(decoding: byHand, as: UTF8.self))"
            )
            let value = try JSONSerialization.jsonObject(with: byHand)
            #expect(validator.problems(value) == [])
            let members = try #require(value as? [String: Any])
            kinds.insert(try #require(WireSchema.serverKinds.first { members[$0] != nil }))
            #expect(try JSONDecoder().decode(ServerFrame.self, from: byHand) == frame)
        }
        #expect(kinds == Set(WireSchema.serverKinds))
        #expect(kinds.isSuperset(of: WireWriter.hotKinds))
    }

    @Test(arguments: seeds) func `is an event as the general encoder writes it`(seed: UInt64) throws {
        var values = RandomWire(seed: seed)
        let validator = try SchemaValidator("server-frames")
        var kinds: Set<String> = []
        for _ in 0..<600 {
            let event = values.event()
            let (byHand, bySchema) = (Data(event.wireBytes), try JSONEncoder().encode(event))
            #expect(
                try GoldenFile.value(byHand) == GoldenFile.value(bySchema), "\(String(decoding: byHand, as: UTF8.self))"
            )
            let value = try JSONSerialization.jsonObject(with: byHand)
            #expect(validator.problems(value, definition: "Event") == [])
            #expect(try JSONDecoder().decode(Event.self, from: byHand) == event)
            let members = try #require(value as? [String: Any])
            kinds.formUnion(members.keys)
        }
        let envelope = WireSchema.eventEnvelope.map(\.name)
        #expect(kinds == Set(envelope + WireSchema.events.map(\.name)))
        #expect(kinds.isSuperset(of: Event.Kind.hotKinds))
    }

    @Test(arguments: seeds) func `is read as the general decoder reads it`(seed: UInt64) throws {
        var values = RandomWire(seed: seed)
        let validator = try SchemaValidator("client-frames")
        var (kinds, hot): (Set<String>, Set<String>) = ([], [])
        for _ in 0..<600 {
            let frame = values.clientFrame()
            let bytes = try JSONEncoder().encode(frame)
            #expect(try JSONDecoder().decode(ClientFrame.self, from: bytes) == frame)
            let value = try JSONSerialization.jsonObject(with: bytes)
            #expect(validator.problems(value) == [])
            let members = try #require(value as? [String: Any])
            let kind = try #require(WireSchema.clientKinds.first { members[$0] != nil })
            kinds.insert(kind)
            let reading = try Self.text(members, kindFirst: kind).withUnsafeBufferPointer(ClientFrame.read)
            #expect(reading == .frame(frame) || reading == .unsure)
            if reading == .frame(frame) { hot.insert(kind) }
        }
        #expect(kinds == Set(WireSchema.clientKinds))
        #expect(hot == Set(ClientFrame.hotKinds))
    }

    /// A frame as clients write it, with its kind first: only such a frame is read by hand.
    private static func text(_ members: [String: Any], kindFirst kind: String) throws -> [UInt8] {
        let names = [kind] + members.keys.filter { $0 != kind }.sorted()
        let parts = try names.map { name in
            let value = try JSONSerialization.data(
                withJSONObject: members[name] as Any, options: [.fragmentsAllowed, .withoutEscapingSlashes])
            return "\"\(name)\":\(String(decoding: value, as: UTF8.self))"
        }
        return Array("{\(parts.joined(separator: ","))}".utf8)
    }
}
