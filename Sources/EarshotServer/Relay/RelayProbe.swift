import Crypto
import EarshotCore
import Foundation
import NIOCore

/// Uses a relay as two devices of a call would, to find out whether it works and whom it lets in. For the doctor only.
struct RelayProbe {
    /// What was found.
    enum Result: Equatable, Sendable {
        /// A packet went from one allocation to another; STUN: the server said our address.
        case works
        /// The relay refuses our password (401).
        case refusesPassword
        /// The relay refuses something else.
        case refuses(String, Int)
        /// The relay passes packets on to this address, which is no address of a caller.
        case isOpen(to: String)
        /// Allocations are granted, but nothing arrives.
        case losesPackets
        /// No connection, or no answer.
        case isUnreachable(String)
    }

    /// What a relay must refuse to reach: machines near it.
    private static let forbidden: [(name: String, address: StunAddress)] = [
        ("127.0.0.1", .init(bytes: [127, 0, 0, 1], port: 0)), ("10.0.0.1", .init(bytes: [10, 0, 0, 1], port: 0)),
        ("192.168.0.1", .init(bytes: [192, 168, 0, 1], port: 0)),
        ("169.254.169.254", .init(bytes: [169, 254, 169, 254], port: 0)),
    ]

    private static let udp: [UInt8] = [17, 0, 0, 0]

    let address: RelayAddress
    let credential: RelayCredential
    /// A PEM file with a certificate authority that is trusted, too.
    let authority: String?

    /// Looks what the server does.
    func run() async -> Result {
        do {
            return address.scheme.isRelay ? try await relay() : try await binding()
        } catch let refusal as Refusal {
            return refusal.code == 401 ? .refusesPassword : .refuses(refusal.what, refusal.code)
        } catch {
            return .isUnreachable("\(error)")
        }
    }

    private struct Refusal: Error {
        let what: String
        let code: Int
    }

    private func binding() async throws -> Result {
        let connection = try await RelayConnection.open(address, authority: authority)
        defer { connection.close() }
        let id = Self.transaction()
        let answer = try await connection.request(
            StunMessage(.binding, .request, transaction: id).bytes(), transaction: id)
        return answer.address(.mappedAddress) == nil ? .refuses("a binding", answer.refusal ?? 0) : .works
    }

    private func relay() async throws -> Result {
        let (one, other) = (try await allocate(), try await allocate())
        defer {
            one.connection.close()
            other.connection.close()
        }
        for (name, peer) in Self.forbidden where try await one.permits(peer) { return .isOpen(to: name) }
        guard let to = other.relayed, let from = one.relayed else { return .losesPackets }
        try await one.permit(to)
        try await other.permit(from)
        let sent = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let received = other.connection.received()
        one.connection.send(
            StunMessage(.send, .indication, transaction: Self.transaction(), [.data: sent]).with(peer: to).bytes())
        let arrived = try? await received.get()
        await one.release()
        await other.release()
        return arrived?.attributes[.data] == sent ? .works : .losesPackets
    }

    /// What a device has on a relay.
    private struct Allocation {
        let connection: RelayConnection
        let relayed: StunAddress?
        let username: String
        let realm: [UInt8]
        let nonce: [UInt8]
        let key: SymmetricKey

        func ask(_ message: StunMessage) async throws -> StunMessage {
            let signed = message.with(username: username, realm: realm, nonce: nonce)
            return try await connection.request(signed.bytes(signedWith: key), transaction: message.transaction)
        }

        func permits(_ peer: StunAddress) async throws -> Bool {
            let question = StunMessage(.createPermission, .request, transaction: RelayProbe.transaction())
            return try await ask(question.with(peer: peer)).kind == .success
        }

        func permit(_ peer: StunAddress) async throws {
            let question = StunMessage(.createPermission, .request, transaction: RelayProbe.transaction())
            let answer = try await ask(question.with(peer: peer))
            guard answer.kind == .success else {
                throw Refusal(what: "packets between two callers", code: answer.refusal ?? 0)
            }
        }

        func release() async {
            _ = try? await ask(
                StunMessage(
                    .refresh, .request, transaction: RelayProbe.transaction(), [.lifetime: [0, 0, 0, 0]]))
        }
    }

    private func allocate() async throws -> Allocation {
        let connection = try await RelayConnection.open(address, authority: authority)
        let id = Self.transaction()
        let first = StunMessage(.allocate, .request, transaction: id, [.requestedTransport: Self.udp])
        let challenge = try await connection.request(first.bytes(), transaction: id)
        guard let realm = challenge.attributes[.realm], let nonce = challenge.attributes[.nonce] else {
            throw Refusal(what: "to ask for a password", code: challenge.refusal ?? 0)
        }
        let text = Array("\(credential.username):".utf8) + realm + Array(":\(credential.password)".utf8)
        let asking = Allocation(
            connection: connection, relayed: nil, username: credential.username, realm: realm, nonce: nonce,
            key: SymmetricKey(data: Insecure.MD5.hash(data: text)))
        let answer = try await asking.ask(
            StunMessage(.allocate, .request, transaction: Self.transaction(), [.requestedTransport: Self.udp]))
        guard answer.kind == .success else { throw Refusal(what: "an allocation", code: answer.refusal ?? 0) }
        return Allocation(
            connection: connection, relayed: answer.address(.relayedAddress), username: asking.username, realm: realm,
            nonce: nonce, key: asking.key)
    }

    private static func transaction() -> [UInt8] {
        (0..<StunMessage.transactionBytes).map { _ in UInt8.random(in: 0...255) }
    }
}
