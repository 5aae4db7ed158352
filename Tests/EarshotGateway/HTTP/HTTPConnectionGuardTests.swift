import EarshotModel
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import EarshotGateway

/// The guard on a clock that the test turns.
@Suite struct `The guard of a connection` {
    @Test func `allows ten seconds for a head, however slowly it arrives`() throws {
        let line = try Line()
        for _ in 1...9 {
            line.drip()
            line.advance(.seconds(1))
        }
        line.drip()
        #expect(line.status == nil)
        line.advance(.seconds(1))
        #expect(line.status == 408)
        line.advance(.seconds(1))
        #expect(!line.isOpen)
    }

    @Test func `allows thirty seconds until the next head and ten from its first byte`() throws {
        let line = try Line()
        try line.ask("GET", "/v1/ready")
        line.answer()
        line.advance(.seconds(29))
        #expect(line.isOpen)
        line.advance(.seconds(1))
        #expect(!line.isOpen)
        #expect(line.status == 200)

        let second = try Line()
        try second.ask("GET", "/v1/ready")
        second.answer()
        second.advance(.seconds(25))
        second.drip()
        second.advance(.seconds(9))
        #expect(second.isOpen)
        #expect(second.status == 200)
        second.drip()
        second.advance(.seconds(1))
        #expect(second.status == 408)
    }

    @Test func `allows twenty seconds for a JSON body, however slowly it arrives`() throws {
        let line = try Line()
        try line.begin("POST", "/v1/login", length: 100)
        for _ in 1...19 {
            try line.send(1)
            line.advance(.seconds(1))
        }
        #expect(line.status == nil)
        try line.send(1)
        line.advance(.seconds(1))
        #expect(line.status == 408)
        #expect(line.handlerWasTold)
    }

    @Test func `accepts an upload at a kilobyte a second, and no slower`() throws {
        let fine = try Line()
        try fine.begin("PATCH", "/v1/uploads/x", length: 1_000_000)
        for _ in 1...110 {
            try fine.send(1024)
            fine.advance(.seconds(1))
        }
        #expect(fine.status == nil)
        fine.advance(.seconds(10))
        #expect(fine.status == 408)

        let slow = try Line()
        try slow.begin("PATCH", "/v1/uploads/x", length: 1_000_000)
        try slow.send(512)
        slow.advance(.milliseconds(10_499))
        #expect(slow.status == nil)
        slow.advance(.milliseconds(1))
        #expect(slow.status == 408)
    }

    @Test func `cuts off a body at its limit, whatever length it declared`() throws {
        let line = try Line()
        try line.begin("POST", "/v1/login", length: nil)
        try line.send(Limits.jsonBodyBytes)
        #expect(line.status == nil)
        try line.send(1)
        #expect(line.status == 413)
        #expect(line.handlerWasTold)
        try line.send(1_000_000)
        #expect(line.passed == Limits.jsonBodyBytes)
        #expect(!line.reads)
    }

    @Test func `does not wait for a body that no handler reads`() throws {
        let line = try Line()
        try line.begin("PATCH", "/v1/uploads/x", length: 1_000_000)
        line.answer()
        #expect(line.status == 200)
        #expect(!line.reads)
        #expect(line.said("connection: close"))
        line.advance(.seconds(1))
        #expect(!line.isOpen)
    }

    @Test func `reads the small rest of a body that arrives after its answer`() throws {
        let line = try Line()
        try line.begin("POST", "/v1/login", length: 100)
        line.answer()
        #expect(line.isOpen)
        try line.send(100)
        try line.end()
        try line.ask("GET", "/v1/ready")
        line.answer()
        #expect(line.statuses == [200, 200])
    }

    @Test func `sets no deadline for the server's own work`() throws {
        let line = try Line()
        try line.ask("POST", "/v1/login")
        line.advance(.seconds(300))
        #expect(line.isOpen)
        line.answer()
        #expect(line.status == 200)
    }

    @Test func `closes a client that reads nothing for twenty seconds`() throws {
        let line = try Line()
        try line.ask("GET", "/v1/ready")
        line.isStuck = true
        line.answer()
        line.advance(.seconds(19))
        #expect(line.isOpen)
        line.advance(.seconds(1))
        #expect(!line.isOpen)
    }

    @Test func `closes after a request that asks for it`() throws {
        let line = try Line()
        try line.ask("GET", "/v1/ready", close: true)
        line.answer()
        #expect(line.said("connection: close"))
        #expect(!line.isOpen)
    }

    @Test func `answers earlier requests before it refuses one`() throws {
        let line = try Line()
        try line.ask("GET", "/v1/ready")
        try line.ask("CONNECT", "/v1/ready")
        #expect(line.status == nil)
        line.answer()
        #expect(line.statuses == [200])
        line.advance(.seconds(1))
        #expect(!line.isOpen)
    }
}
