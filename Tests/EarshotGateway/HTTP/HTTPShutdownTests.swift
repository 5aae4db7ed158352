import EarshotCore
import EarshotModel
import NIOCore
import Testing

@testable import EarshotGateway

@Suite struct `A gateway that shuts down` {
    @Test func `is live and not ready`() async throws {
        try await TestGateway.run { gateway in
            #expect(try await gateway.ask("GET", "/v1/ready").json == ["status": .string("ready")])
            gateway.parts.readiness.report(.draining)
            let reply = try await gateway.ask("GET", "/v1/ready")
            #expect(reply.status == 503)
            #expect(reply.json == ["status": .string("not_ready"), "reasons": .array([.string("draining")])])
            #expect(try await gateway.ask("GET", "/v1/live").json == ["status": .string("live")])
        }
    }

    @Test(arguments: Readiness.Reason.allCases)
    func `stays ready for reasons that only have to be repaired`(reason: Readiness.Reason) async throws {
        try await TestGateway.run { gateway in
            gateway.parts.readiness.report(reason)
            let ready = try await gateway.ask("GET", "/v1/ready")
            #expect(ready.status == (reason.isBlocking ? 503 : 200))
            let live = try await gateway.ask("GET", "/v1/live")
            #expect(live.status == 200)
        }
    }

    @Test func `finishes what is in flight and takes nothing new`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let begun = try await gateway.send(
                "POST", "/v1/uploads", as: .consumer(consumer.token),
                "{\"conversation\":\"\(consumer.conversation)\",\"draft\":\"d\"}")
            let upload = try #require(begun.json.text("upload"))
            let half = [UInt8](repeating: 1, count: 65_536)
            let head =
                "PATCH /v1/uploads/\(upload)?offset=0 HTTP/1.1\r\nhost: localhost:\(gateway.port)\r\n"
                + "authorization: Bearer \(consumer.token)\r\n"
                + "origin: \(gateway.origin)\r\ncontent-length: \(2 * half.count)\r\n\r\n"
            let answer = try await Wire.connect(gateway.port) { inbound, outbound in
                try await outbound.write(ByteBuffer(bytes: Array(head.utf8) + half))
                _ = await gateway.brand.cassette.arrivals.first { _ in true }
                await gateway.stop()
                try await Self.untilDraining(gateway)
                try await outbound.write(ByteBuffer(bytes: half))
                return try await Wire.rest(of: inbound)
            }
            let reply = try Reply(answer)
            #expect(reply.status == 200)
            #expect(reply.json == ["received": .integer(2 * half.count)])
        }
    }

    /// Asks until the answer is that the server is going away: the drain begins a moment after the shutdown.
    private static func untilDraining(_ gateway: TestGateway) async throws {
        while true {
            let reply = try await gateway.ask("GET", "/v1/session")
            guard reply.status != 401 else { continue }
            #expect(reply.status == 503)
            #expect(reply.code == "unavailable")
            #expect(reply["retry-after"] == "1")
            #expect(reply["connection"] == "close")
            return
        }
    }

    @Test func `does not wait for connections that ask for nothing`() async throws {
        try await TestGateway.run { gateway in
            let received = try await Wire.connect(gateway.port) { inbound, outbound in
                try await outbound.write(ByteBuffer(string: "GET /v1/ready HTTP/1.1\r\nhost: localhost\r\n\r\n"))
                var iterator = inbound.makeAsyncIterator()
                let answer = try await iterator.next()
                await gateway.stop()
                // The server closes; without that the test would not end.
                while try await iterator.next() != nil {}
                return answer
            }
            #expect(received != nil)
        }
    }
}
