public import Crypto
import EarshotDomain
public import EarshotModel
import Foundation

/// The servers that help the devices of a call connect: STUN tells a device its own address, and a relay (TURN) passes
/// media on where two devices do not reach each other. What it passes on is encrypted between the devices.
public struct CallRelay: Sendable {
    /// No servers: devices connect where they reach each other.
    public static let none = CallRelay(urls: [], secret: nil, isRequired: false)

    private let urls: [String]
    private let secret: SymmetricKey?
    /// Whether media may only go over a relay.
    let isRequired: Bool

    /// Makes the value.
    /// - Parameters:
    ///   - urls: addresses such as `turn:relay.example:3478?transport=udp` and `stun:relay.example:3478`.
    ///   - secret: what the server and the relay share, and make passwords from.
    ///   - isRequired: whether media may only go over a relay, so that no side learns where the other one is.
    public init(urls: [String], secret: SymmetricKey?, isRequired: Bool) {
        (self.urls, self.secret, self.isRequired) = (urls, secret, isRequired)
    }

    /// The servers for a device on this side of a call, with a password of its own that opens the relay for
    /// `Limits.relayCredentialSeconds`.
    func servers(for leg: CallLeg, of call: CallAddress, at now: Timestamp) -> [RelayServer] {
        let plain = urls.filter { $0.hasPrefix("stun") }
        let relays = urls.filter { $0.hasPrefix("turn") }
        var servers = plain.isEmpty ? [] : [RelayServer(urls: plain)]
        if let secret, !relays.isEmpty {
            // The relay learns neither brand nor conversation, and counts what each side of a call has open.
            let side = Data("\(call.conversation) \(call.number) \(leg)".utf8)
            let name = Base64URL.encode(Array(HMAC<SHA256>.authenticationCode(for: side, using: secret).prefix(12)))
            let credential = RelayCredential(name: name, secret: secret, at: now)
            servers.append(
                RelayServer(urls: relays, username: credential.username, credential: credential.password))
        }
        return servers
    }
}

/// A name and a password for a relay that end by themselves: the "REST API for access to TURN services"
/// (draft-uberti-behave-turn-rest), coturn's `use-auth-secret`.
public struct RelayCredential: Sendable, Equatable {
    /// When it ends, in seconds since 1970, and who uses it.
    public let username: String
    /// The Base64 of the HMAC-SHA1 of the user name.
    public let password: String

    /// Makes a credential that ends `Limits.relayCredentialSeconds` after `now`.
    /// - Parameter name: who uses it; the relay counts what each name has open.
    public init(name: String, secret: SymmetricKey, at now: Timestamp) {
        username = "\(now.milliseconds / 1000 + Int64(Limits.relayCredentialSeconds)):\(name)"
        let code = HMAC<Insecure.SHA1>.authenticationCode(for: Data(username.utf8), using: secret)
        password = Data(code).base64EncodedString()
    }
}
