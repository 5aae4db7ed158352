import Crypto
import EarshotModel
import Foundation
import Testing

@testable import EarshotCore

@Suite struct `The servers that help calls connect` {
    private static let now = Timestamp(milliseconds: 1_700_000_000_000)
    private static let secret = SymmetricKey(data: Data("north-of-nowhere".utf8))
    private static let turn = "turn:relay.example:3478?transport=udp"
    private static let stun = "stun:relay.example:3478"

    private func servers(_ leg: CallLeg, _ number: Int, urls: [String] = [turn], after ms: Int64 = 0) throws
        -> [RelayServer]
    {
        let conversation = ConversationID(trusted: "conversation-1")
        return CallRelay(urls: urls, secret: Self.secret, isRequired: false)
            .servers(for: leg, of: CallAddress(conversation, number), at: Self.now.adding(milliseconds: ms))
    }

    // connectors.md lists these; coturn's `turnutils` compute the same.
    @Test(
        arguments: [
            (1_700_003_600, "visitor-42", "++VeRRCj+KHyqlFN3PbufBSABkE="),
            (1_433_895_918, "1234567", "vvez3BHwxBKMO99gn7rNLeSl6NY="),
            (1_751_328_000, "agent:7", "H+IEgKZ9lIpJzLaeLD+01XWYzj4="),
        ])
    func `makes the passwords that coturn makes`(ends: Int64, name: String, password: String) {
        let now = Timestamp(milliseconds: (ends - Int64(Limits.relayCredentialSeconds)) * 1000)
        let credential = RelayCredential(name: name, secret: Self.secret, at: now)
        #expect(credential.username == "\(ends):\(name)")
        #expect(credential.password == password)
    }

    @Test func `gives each side of a call a name of its own, which ends after ten minutes and says nothing`() throws {
        let consumer = try #require(servers(.consumer, 7).first)
        let name = try #require(consumer.username)
        #expect(name.hasPrefix("1700000600:") && !name.contains("conversation"))
        #expect(try servers(.consumer, 7).first == consumer)
        #expect(try servers(.agent, 7).first?.username != name)
        #expect(try servers(.consumer, 8).first?.username != name)
        // The relay counts what a name has open, at whatever time its passwords were made.
        let later = try #require(servers(.consumer, 7, after: 60_000).first?.username)
        #expect(later != name && later.split(separator: ":").last == name.split(separator: ":").last)
    }

    @Test func `gives passwords to relays only`() throws {
        let both = try servers(.agent, 1, urls: [Self.stun, Self.turn])
        #expect(both.map(\.urls) == [[Self.stun], [Self.turn]])
        #expect(both.map { $0.credential != nil } == [false, true])
        let conversation = ConversationID(trusted: "conversation-1")
        #expect(CallRelay.none.servers(for: .agent, of: .init(conversation, 1), at: Self.now).isEmpty)
    }
}
