import EarshotCore
import EarshotModel
import EarshotStorage
import Testing

@testable import EarshotGateway

@Suite struct `A socket of another site's page` {
    private static let shop = "https://shop.example"
    private static let other = "https://other.example"

    /// The app allows one origin, another app of the brand a second one.
    private static func run(_ body: @escaping @Sendable (SocketRig) async throws -> Void) async throws {
        try await SocketRig.run { rig in
            for (id, origin) in [(SocketRig.app, shop), (AppID(trusted: "other"), other)] {
                try await rig.store.accounts.save(
                    App(id: id, account: SocketRig.brand, name: "App", allowedOrigins: [origin]))
            }
            try await rig.identity.refreshAllowedOrigins()
            try await body(rig)
        }
    }

    private static func expectRefused(_ socket: TestSocket, _ hello: String) async throws {
        #expect(await socket.status.contains("101"))
        try await socket.send("{\"hello\":{\(hello)}}")
        guard case .bye(let bye) = try await socket.nextFrame() else { throw Missing("bye") }
        #expect(bye.code == "origin_refused")
        #expect(await socket.next() == .close(4403))
    }

    @Test func `opens where the consumer's app allows the page`() async throws {
        try await Self.run { rig in
            let visitor = try await rig.consumer()
            try await rig.socket(origin: Self.shop) { socket in
                #expect(await socket.status.contains("101"))
                try await socket.send("{\"hello\":{\"token\":\"\(visitor.token)\"}}")
                guard case .ready = try await socket.nextFrame() else { throw Missing("ready") }
            }
            // The token stays good for a program, and for our own pages.
            for origin in [nil, "http://localhost:\(rig.port)"] {
                try await rig.socket(origin: origin) { socket in
                    try await socket.send("{\"hello\":{\"token\":\"\(visitor.token)\"}}")
                    guard case .ready = try await socket.nextFrame() else { throw Missing("ready") }
                }
            }
        }
    }

    @Test func `is closed where only another app allows the page`() async throws {
        try await Self.run { rig in
            let visitor = try await rig.consumer()
            try await rig.socket(origin: Self.other) { socket in
                try await Self.expectRefused(socket, "\"token\":\"\(visitor.token)\"")
            }
        }
    }

    @Test func `is closed where the app no longer allows the page`() async throws {
        try await Self.run { rig in
            let visitor = try await rig.consumer()
            try await rig.store.accounts.save(
                App(id: SocketRig.app, account: SocketRig.brand, name: "App", allowedOrigins: []))
            try await rig.socket(origin: Self.shop) { socket in
                try await Self.expectRefused(socket, "\"token\":\"\(visitor.token)\"")
            }
            try await rig.identity.refreshAllowedOrigins()
            try await rig.socket(origin: Self.shop) { socket in #expect(await socket.status.contains("403")) }
        }
    }

    @Test func `is never an agent's, whose ticket stays good`() async throws {
        try await Self.run { rig in
            let ticket = try await rig.ticket()
            try await rig.socket(origin: Self.shop) { socket in
                try await Self.expectRefused(socket, "\"ticket\":\"\(ticket)\"")
            }
            try await rig.socket { socket in
                try await socket.send("{\"hello\":{\"ticket\":\"\(ticket)\"}}")
                guard case .inbox = try await socket.nextFrame() else { throw Missing("inbox") }
            }
        }
    }

    @Test func `does not open where no app allows the page`() async throws {
        try await Self.run { rig in
            for origin in ["https://evil.example", "null", "http://shop.example", "https://shop.example.evil.example"] {
                try await rig.socket(origin: origin) { socket in #expect(await socket.status.contains("403")) }
            }
        }
    }
}
