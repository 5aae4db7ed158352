import Crypto
import CryptoExtras
import EarshotModel

/// scrypt (RFC 7914). Slow on purpose: never on an event loop.
public enum Passwords {
    /// 64 MiB of memory a guess; OWASP's first choice of parameters (N = 2^16, r = 8, p = 2).
    static let rounds = 1 << 16
    static let blockSize = 8
    static let parallelism = 2
    static let hashBytes = 32
    public static let saltBytes = 16
    /// A password has this many UTF-8 bytes: longer ones only cost time.
    public static let length = 8...256

    public static func hash(_ password: String, salt: [UInt8]) throws -> PasswordHash {
        precondition(salt.count == saltBytes, "a salt has 16 bytes")
        let key = try derive(password, salt: salt, rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        return PasswordHash(
            encoded: "scrypt$\(rounds)$\(blockSize)$\(parallelism)$\(Base64URL.encode(salt))$\(Base64URL.encode(key))")
    }

    /// Whether this is the password. A hash that cannot be read is nobody's.
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

    /// Compared against where there is no such person, so that both answers take the same time.
    static let nobody = PasswordHash(
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
