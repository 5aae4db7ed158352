import HTTPTypes
import Testing

@testable import EarshotGateway

@Suite struct `The address that a proxy passes on` {
    private func peer(_ forwarded: String?) throws -> Peer {
        let rules = PeerRules(proxies: [try #require(NetworkRange("10.0.0.0/8"))])
        var fields = HTTPFields()
        if let name = HTTPField.Name("X-Forwarded-For"), let forwarded { fields[name] = forwarded }
        return rules.peer(connection: "10.0.0.1", fields: fields)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:5678", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]:5678", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"), ("[::1]:5", "::1"),
        ("198.51.100.7, 192.0.2.1:1", "192.0.2.1"), ("192.0.2.1:1, 10.0.0.2:80", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ])
    func `may have a port`(forwarded: String, address: String) throws {
        let peer = try peer(forwarded)
        #expect(peer.address == NetworkAddress(address))
        #expect(peer.isForwarded)
    }

    @Test(arguments: [
        nil, "", "unknown", "192.0.2.1:", "192.0.2.1:65536", "192.0.2.1:80:80", "192.0.2.1:x", "[2001:db8::1",
        "[2001:db8::1]x", "[]:5", "192.0.2.1]:5", "192.0.2.1:+1",
    ])
    func `is ignored where it is none`(forwarded: String?) throws {
        let peer = try peer(forwarded)
        #expect(peer.address == NetworkAddress("10.0.0.1"))
        #expect(!peer.isForwarded)
    }

    @Test func `is asked for once where the proxy passes none on`() throws {
        let log = TestLog()
        let warning = ProxyWarning(log.logger)
        let rules = PeerRules(proxies: [try #require(NetworkRange("10.0.0.1"))])
        var fields = HTTPFields()
        warning.check(rules.peer(connection: "10.0.0.1", fields: fields))
        #expect(log.text.isEmpty, "the proxy's own health check names nobody")
        fields[try #require(HTTPField.Name("X-Forwarded-Proto"))] = "https"
        for _ in 0..<3 { warning.check(rules.peer(connection: "10.0.0.1", fields: fields)) }
        #expect(log.text.split(separator: "\n").count == 1)
    }
}
