import Configuration
import Crypto
import Foundation
import Testing

@testable import EarshotServer

@Suite struct `The configuration of relays` {
    private static let turn = "turn:relay.example:3478?transport=udp"

    /// The errors of these settings.
    private func errors(_ values: [String: String]) -> [String] {
        let provider = EnvironmentVariablesProvider(environmentVariables: values)
        var errors = ErrorCollector()
        _ = errors.relay(ConfigReader(provider: provider).scoped(to: "earshot"))
        return errors.all
    }

    @Test(
        arguments: [
            ("turn:relay.example", "relay.example", 3478, "udp"),
            ("turn:relay.example:443?transport=tcp", "relay.example", 443, "tcp"),
            ("turns:relay.example", "relay.example", 5349, "tcp"),
            ("turns:203.0.113.10:443?transport=tcp", "203.0.113.10", 443, "tcp"),
            ("turn:[2001:db8::1]:3478", "2001:db8::1", 3478, "udp"),
            ("stun:relay.example:65535", "relay.example", 65_535, "udp"),
        ])
    func `reads addresses`(url: String, host: String, port: Int, transport: String) throws {
        let address = try #require(RelayAddress(url))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.transport.rawValue == transport)
    }

    @Test(
        arguments: [
            "", "relay.example", "https://relay.example", "turn:", "turn:relay example", "turn:relay.example:0",
            "turn:relay.example:65536", "turn:relay.example:port", "turn:relay.example?transport=quic",
            "turn:relay.example?x=udp", "stun:relay.example?transport=udp", "turn:[2001:db8::1", "turn:2001:db8::1",
            "turn:[]", "turn:relay.example/path", "turn:\(String(repeating: "a", count: 251))",
        ])
    func `refuses what is no address`(url: String) { #expect(RelayAddress(url) == nil) }

    @Test func `takes an address of 255 bytes`() {
        #expect(RelayAddress("turn:" + String(repeating: "a", count: 250)) != nil)
    }

    @Test func `takes no relay, servers without a password, and a relay with its secret`() {
        #expect(errors([:]).isEmpty)
        #expect(errors(["EARSHOT_RELAY_URLS": "stun:relay.example"]).isEmpty)
        #expect(
            errors([
                "EARSHOT_RELAY_URLS": "\(Self.turn),stun:relay.example", "EARSHOT_RELAY_SECRET_FILE": "secret",
                "EARSHOT_RELAY_ONLY": "true",
            ]).isEmpty)
    }

    @Test func `names what is wrong`() {
        let together = "EARSHOT_RELAY_SECRET_FILE and a turn: address in EARSHOT_RELAY_URLS must be set together"
        #expect(errors(["EARSHOT_RELAY_URLS": Self.turn]) == [together])
        #expect(errors(["EARSHOT_RELAY_SECRET_FILE": "secret"]) == [together])
        #expect(
            errors(["EARSHOT_RELAY_ONLY": "true"])
                == ["EARSHOT_RELAY_ONLY needs a turn: address in EARSHOT_RELAY_URLS"])
        #expect(errors(["EARSHOT_RELAY_ONLY": "yes"]) == [#"EARSHOT_RELAY_ONLY must be true or false, not "yes""#])
        let wrong = errors(["EARSHOT_RELAY_URLS": "http://relay.example"])
        #expect(wrong.first?.hasPrefix("EARSHOT_RELAY_URLS must name addresses like") == true)
        let many = Array(repeating: "stun:relay.example", count: RelayConfiguration.mostURLs)
        #expect(errors(["EARSHOT_RELAY_URLS": many.joined(separator: ",")]).isEmpty)
        #expect(
            errors(["EARSHOT_RELAY_URLS": (many + many.prefix(1)).joined(separator: ",")])
                == ["EARSHOT_RELAY_URLS may name up to 8 addresses"])
    }

    @Test(
        arguments: [("a", 15, false), ("a", 16, true), ("a", 256, true), ("a", 257, false), ("a\n", 16, false)])
    func `takes a secret of one line`(text: String, count: Int, isGood: Bool) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data((String(repeating: text, count: count) + "\n").utf8).write(to: file)
        let configuration = RelayConfiguration(urls: [Self.turn], secretFile: file.path)
        if isGood {
            #expect(try configuration.secret()?.bitCount == count * 8)
        } else {
            #expect(throws: ServerFailure.self) { try configuration.secret() }
        }
    }

    @Test func `says that a secret is not there`() {
        #expect(throws: ServerFailure.self) {
            try RelayConfiguration(urls: [Self.turn], secretFile: "/nowhere/secret").secret()
        }
    }
}

@Suite struct `A message to a relay` {
    // RFC 5769, section 2.2: the response to a binding, with an IPv4 address.
    private static let response: [UInt8] = [
        0x01, 0x01, 0x00, 0x3c, 0x21, 0x12, 0xa4, 0x42, 0xb7, 0xe7, 0xa7, 0x01, 0xbc, 0x34, 0xd6, 0x86,
        0xfa, 0x87, 0xdf, 0xae, 0x80, 0x22, 0x00, 0x0b, 0x74, 0x65, 0x73, 0x74, 0x20, 0x76, 0x65, 0x63,
        0x74, 0x6f, 0x72, 0x20, 0x00, 0x20, 0x00, 0x08, 0x00, 0x01, 0xa1, 0x47, 0xe1, 0x12, 0xa6, 0x43,
        0x00, 0x08, 0x00, 0x14, 0x2b, 0x91, 0xf5, 0x99, 0xfd, 0x9e, 0x90, 0xc3, 0x8c, 0x74, 0x89, 0xf9,
        0x2a, 0xf9, 0xba, 0x53, 0xf0, 0x6b, 0xe7, 0xd7, 0x80, 0x28, 0x00, 0x04, 0xc0, 0x7d, 0x4c, 0x96,
    ]

    @Test func `reads the address in the example of the standard`() throws {
        let message = try #require(StunMessage(Self.response))
        #expect(message.method == .binding && message.kind == .success)
        #expect(message.address(.mappedAddress) == StunAddress(bytes: [192, 0, 2, 1], port: 32_853))
    }

    @Test func `reads no cut-off message, and reads what it writes`() throws {
        for end in 0..<Self.response.count { #expect(StunMessage(Array(Self.response.prefix(end))) == nil) }
        let peer = StunAddress(bytes: [203, 0, 113, 10], port: 49_160)
        let sent = StunMessage(.send, .indication, transaction: Array(1...12), [.data: [1, 2, 3, 4, 5]])
            .with(peer: peer)
        let read = try #require(StunMessage(sent.bytes()))
        #expect(read == sent)
        #expect(read.address(.peerAddress) == peer)
        let six = StunAddress(bytes: Array(0..<16), port: 1)
        #expect(sent.with(peer: six).address(.peerAddress) == six)
    }
}
