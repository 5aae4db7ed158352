import Crypto
import CryptoExtras
import Foundation

/// Signs documents that leave the server, such as evidence bundles, with the installation's Ed25519 key.
public struct DocumentSigner: Sendable {
    /// Bytes of the seed from which the key is made.
    public static let seedBytes = 32

    private let key: Curve25519.Signing.PrivateKey

    /// Makes a signer from a seed of 32 random bytes.
    /// - Throws: `AdapterFailure` for a seed of another length.
    public init(seed: [UInt8]) throws(AdapterFailure) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
            throw AdapterFailure("the seed of the signing key must have \(Self.seedBytes) bytes", isRetryable: false)
        }
        self.key = key
    }

    /// What verifies the signatures.
    public var verifier: DocumentVerifier { DocumentVerifier(key.publicKey) }

    /// The signature of a document, 64 bytes.
    public func signature(of document: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: document))
    }
}

/// The public half of an installation's Ed25519 key.
public struct DocumentVerifier: Sendable {
    private let key: Curve25519.Signing.PublicKey

    fileprivate init(_ key: Curve25519.Signing.PublicKey) {
        self.key = key
    }

    /// Reads a key in PEM; `nil` for anything else.
    public init?(pem: String) {
        guard let key = try? Curve25519.Signing.PublicKey(pemRepresentation: pem) else { return nil }
        self.key = key
    }

    /// The key in PEM, as OpenSSL reads it.
    public var pem: String { key.pemRepresentation + "\n" }

    /// The SHA-256 of the key's 32 bytes, in 64 hexadecimal digits: short enough to be compared by people.
    public var fingerprint: String { Hexadecimal.encode(SHA256.hash(data: key.rawRepresentation)) }

    /// Whether a signature is this key's and of this document.
    public func isValid(_ signature: [UInt8], of document: [UInt8]) -> Bool {
        key.isValidSignature(signature, for: document)
    }
}

/// Bytes as hexadecimal digits in lower case.
public enum Hexadecimal {
    /// Two digits for each byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
