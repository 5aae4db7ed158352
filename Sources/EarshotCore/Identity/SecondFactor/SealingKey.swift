import Crypto
import EarshotModel
import Foundation

/// The key under which the installation stores the secrets of second factors. It never changes: `earshot rotate-keys`
/// may drop a key of tokens at once, and no one could sign in if their secret went with it.
public struct SealingKey: Sendable {
    /// The length of the key in bytes.
    public static let keyBytes = 32
    static let nonceBytes = 12

    /// What a sealed text is for. A text that was sealed for one purpose does not open for another.
    enum Purpose: String, Sendable {
        /// The secret of a person, in the database.
        case secret = "second factor"
        /// The secret of a set-up that is not confirmed yet, at the person's browser.
        case setUp = "second factor set-up"
    }

    private let sealing: SymmetricKey
    private let recovery: SymmetricKey

    /// Derives what it needs (HKDF-SHA256) from at least 32 random bytes.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count >= Self.keyBytes, "a key must have \(Self.keyBytes) bytes or more")
        let secret = SymmetricKey(data: bytes)
        func derived(_ info: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: secret, info: Array(info.utf8), outputByteCount: Self.keyBytes)
        }
        sealing = derived("earshot sealing")
        recovery = derived("earshot recovery codes")
    }

    /// Encrypts a content for one person (AES-256-GCM).
    /// - Parameter nonce: 12 random bytes.
    func seal(_ content: [UInt8], _ purpose: Purpose, for agent: AgentID, nonce: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(
            content, using: sealing, nonce: AES.GCM.Nonce(data: nonce), authenticating: Self.context(purpose, agent))
        return nonce + Array(box.ciphertext) + Array(box.tag)
    }

    /// Decrypts what was sealed for this purpose and person.
    /// - Returns: `nil` for anything else.
    func open(_ sealed: [UInt8], _ purpose: Purpose, for agent: AgentID) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
        return (try? AES.GCM.open(box, using: sealing, authenticating: Self.context(purpose, agent))).map(Array.init)
    }

    /// The digest under which a recovery code of a person is stored: without the key it says nothing about the code.
    func digest(ofRecoveryCode code: String, of agent: AgentID) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("\(agent)\n\(code)".utf8), using: recovery))
    }

    private static func context(_ purpose: Purpose, _ agent: AgentID) -> [UInt8] {
        Array("\(purpose.rawValue)\n\(agent)".utf8)
    }
}
