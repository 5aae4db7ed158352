import Crypto
import CryptoExtras
import Dispatch
import EarshotModel

/// Hashes and verifies passwords with scrypt (RFC 7914). It is slow by design: never call it on an event loop.
public enum Passwords {
    /// OWASP's parameters N = 2^16, r = 8, p = 2: 64 MiB of memory per guess.
    static let rounds = 1 << 16
    static let blockSize = 8
    static let parallelism = 2
    static let hashBytes = 32
    /// The length of a salt in bytes.
    public static let saltBytes = 16
    /// The allowed length of a password in UTF-8 bytes.
    public static let length = 8...256

    /// Hashes a password.
    /// - Parameter salt: `saltBytes` random bytes.
    public static func hash(_ password: String, salt: [UInt8]) throws -> PasswordHash {
        precondition(salt.count == saltBytes, "a salt must have \(saltBytes) bytes")
        let key = try derive(password, salt: salt, rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        return PasswordHash(
            encoded: "scrypt$\(rounds)$\(blockSize)$\(parallelism)$\(Base64URL.encode(salt))$\(Base64URL.encode(key))")
    }

    /// Hashes a password on a separate thread.
    static func compute(_ password: String, salt: [UInt8]) async throws -> PasswordHash {
        try await withCheckedThrowingContinuation { continuation in
            computing.async { continuation.resume(with: Result { try hash(password, salt: salt) }) }
        }
    }

    /// Whether a password matches a hash, computed on a separate thread: it takes a large part of a second and must not
    /// block the shared thread pool.
    static let verification: @Sendable (String, PasswordHash) async -> Bool = { password, hash in
        await withCheckedContinuation { continuation in
            computing.async { continuation.resume(returning: verify(password, against: hash)) }
        }
    }

    private static let computing = DispatchQueue(label: "earshot.passwords", qos: .utility, attributes: .concurrent)

    /// The refusal of a new password that is too short or too long.
    static func lengthRejection(_ password: String) -> Rejection {
        Rejection(
            .outOfRange, "A password must have \(length.lowerBound) to \(length.upperBound) bytes.",
            limit: password.utf8.count < length.lowerBound ? length.lowerBound : length.upperBound)
    }

    /// Whether a hash is that of a password. A hash that cannot be parsed matches no password.
    public static func verify(_ password: String, against hash: PasswordHash) -> Bool {
        let parts = hash.encoded.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]),
            let salt = Base64URL.decode(parts[4]), let expected = Base64URL.decode(parts[5]),
            let key = try? derive(password, salt: salt, rounds: rounds, blockSize: blockSize, parallelism: parallelism),
            key.count == expected.count
        else { return false }
        return zip(key, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// A hash to compare with if the agent does not exist, so that both answers take the same time.
    static let placeholder = PasswordHash(
        encoded:
            "scrypt$\(rounds)$\(blockSize)$\(parallelism)$\(Base64URL.encode([UInt8](repeating: 0, count: saltBytes)))$"
            + Base64URL.encode([UInt8](repeating: 0, count: hashBytes)))

    private static func derive(_ password: String, salt: [UInt8], rounds: Int, blockSize: Int, parallelism: Int) throws
        -> [UInt8]
    {
        let key = try KDF.Scrypt.deriveKey(
            from: Array(password.utf8), salt: salt, outputByteCount: hashBytes, rounds: rounds, blockSize: blockSize,
            parallelism: parallelism)
        return key.withUnsafeBytes { Array($0) }
    }
}
