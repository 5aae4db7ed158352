import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `New connections` {
    private func address(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(text)) }

    @Test func `are accepted up to the server's limit, and again when others end`() throws {
        var admission = ConnectionAdmission(maximum: 3, addressLimit: .fixed(3), exempt: [])
        let here = try address("192.0.2.1")
        #expect((0..<4).map { _ in admission.accept(here) } == [.accepted, .accepted, .accepted, .full])
        admission.ended(here)
        #expect(admission.accept(here) == .accepted)
    }

    @Test func `of one address are limited, and do not count for another`() throws {
        var admission = ConnectionAdmission(maximum: 100, addressLimit: .fixed(2), exempt: [])
        let here = try address("192.0.2.1")
        #expect((0..<3).map { _ in admission.accept(here) } == [.accepted, .accepted, .tooManyFromAddress])
        #expect(admission.accept(try address("192.0.2.2")) == .accepted)
        admission.ended(here)
        #expect(admission.accept(here) == .accepted)
    }

    @Test func `of one IPv6 network count together`() throws {
        var admission = ConnectionAdmission(maximum: 100, addressLimit: .fixed(1), exempt: [])
        #expect(admission.accept(try address("2001:db8::1")) == .accepted)
        #expect(admission.accept(try address("2001:db8::ffff")) == .tooManyFromAddress)
        #expect(admission.accept(try address("2001:db8:0:1::1")) == .accepted)
    }

    @Test func `get in from anywhere however many addresses hold as many as they can`() throws {
        for attackers in 1...40 {
            var admission = ConnectionAdmission(maximum: 100, addressLimit: .fairShare(atMost: 1_024), exempt: [])
            for _ in 0..<100 {
                for place in 1...attackers { _ = admission.accept(try address("192.0.2.\(place)")) }
            }
            #expect(admission.accept(try address("198.51.100.1")) == .accepted)
        }
    }

    @Test func `of a fair share stop at the limit of an address`() throws {
        var admission = ConnectionAdmission(maximum: 100, addressLimit: .fairShare(atMost: 2), exempt: [])
        let here = try address("192.0.2.1")
        #expect((0..<3).map { _ in admission.accept(here) } == [.accepted, .accepted, .tooManyFromAddress])
    }

    @Test func `of a proxy count only for the server`() throws {
        let proxies = [try #require(NetworkRange("10.0.0.0/8"))]
        var admission = ConnectionAdmission(maximum: 3, addressLimit: .fixed(1), exempt: proxies)
        let proxy = try address("10.0.0.1")
        #expect((0..<4).map { _ in admission.accept(proxy) } == [.accepted, .accepted, .accepted, .full])
        admission.ended(proxy)
        #expect(admission.accept(try address("192.0.2.1")) == .accepted)
    }

    @Test func `of clients behind a proxy are counted by request`() throws {
        let load = ForwardedLoad(limit: 2)
        let client = Peer(address: try address("192.0.2.1"), isProtected: true, isForwarded: true)
        let leave = try #require(try load.enter(client))
        _ = try load.enter(client)
        #expect(throws: Rejection.self) { _ = try load.enter(client) }
        leave()
        _ = try load.enter(client)
        let direct = Peer(address: try address("192.0.2.1"), isProtected: true)
        #expect(try load.enter(direct) == nil)
    }
}
