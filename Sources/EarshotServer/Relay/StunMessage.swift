import Crypto
import Foundation

/// A message to or from a STUN or TURN server (RFC 8489, RFC 8656), as far as the doctor needs it.
struct StunMessage: Equatable {
    /// What a message is about.
    enum Method: UInt16 {
        case binding = 0x001
        case allocate = 0x003
        case refresh = 0x004
        case send = 0x006
        case data = 0x007
        case createPermission = 0x008
    }

    /// What kind of message it is.
    enum Class: UInt16 {
        case request = 0x000
        case indication = 0x010
        case success = 0x100
        case failure = 0x110
    }

    /// The parts of a message, by their numbers.
    enum Attribute: UInt16 {
        case username = 0x0006
        case integrity = 0x0008
        case errorCode = 0x0009
        case lifetime = 0x000D
        case peerAddress = 0x0012
        case data = 0x0013
        case realm = 0x0014
        case nonce = 0x0015
        case relayedAddress = 0x0016
        case requestedTransport = 0x0019
        case mappedAddress = 0x0020
    }

    static let headBytes = 20
    static let transactionBytes = 12
    private static let cookie: [UInt8] = [0x21, 0x12, 0xA4, 0x42]

    let method: Method
    let kind: Class
    let transaction: [UInt8]
    private(set) var attributes: [Attribute: [UInt8]] = [:]

    init(_ method: Method, _ kind: Class, transaction: [UInt8], _ attributes: [Attribute: [UInt8]] = [:]) {
        (self.method, self.kind, self.transaction, self.attributes) = (method, kind, transaction, attributes)
    }

    /// How many bytes the message at the beginning of a stream has; `nil` where too few are there to say.
    static func length(in bytes: some Collection<UInt8>) -> Int? {
        let head = Array(bytes.prefix(4))
        return head.count == 4 ? headBytes + Int(head[2]) << 8 + Int(head[3]) : nil
    }

    /// - Returns: `nil` for bytes that are no message, or one of a kind that is not known here.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headBytes, Self.length(in: bytes) == bytes.count, Array(bytes[4..<8]) == Self.cookie
        else { return nil }
        let type = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        guard let method = Method(rawValue: type & 0x3EEF), let kind = Class(rawValue: type & 0x0110) else {
            return nil
        }
        self.init(method, kind, transaction: Array(bytes[8..<20]))
        var rest = bytes[20...]
        while rest.count >= 4 {
            let head = Array(rest.prefix(4))
            let length = Int(head[2]) << 8 | Int(head[3])
            let value = rest.dropFirst(4).prefix(length)
            guard value.count == length else { return nil }
            if let attribute = Attribute(rawValue: UInt16(head[0]) << 8 | UInt16(head[1])) {
                attributes[attribute] = Array(value)
            }
            rest = rest.dropFirst(4 + (length + 3) / 4 * 4)
        }
    }

    /// The message in bytes.
    /// - Parameter key: signs it; `nil` sends it unsigned.
    func bytes(signedWith key: SymmetricKey? = nil) -> [UInt8] {
        let body = attributes.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { Self.encode($0.key, $0.value) }
        guard let key else { return head(bodyBytes: body.count) + body }
        // What is signed says that the signature is there already.
        let signed = head(bodyBytes: body.count + 24) + body
        let signature = HMAC<Insecure.SHA1>.authenticationCode(for: Data(signed), using: key)
        return signed + Self.encode(.integrity, Array(signature))
    }

    private func head(bodyBytes: Int) -> [UInt8] {
        let type = method.rawValue | kind.rawValue
        return [UInt8(type >> 8), UInt8(type & 0xFF), UInt8(bodyBytes >> 8), UInt8(bodyBytes & 0xFF)] + Self.cookie
            + transaction
    }

    private static func encode(_ attribute: Attribute, _ value: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        return [
            UInt8(attribute.rawValue >> 8), UInt8(attribute.rawValue & 0xFF), UInt8(value.count >> 8),
            UInt8(value.count & 0xFF),
        ] + value + padding
    }

    /// The number of a refusal, such as 401; `nil` where it says none.
    var refusal: Int? {
        guard let code = attributes[.errorCode], code.count >= 4 else { return nil }
        return Int(code[2] & 7) * 100 + Int(code[3])
    }

    /// An address in this message. It is stored XORed, so that no router changes it.
    func address(_ attribute: Attribute) -> StunAddress? {
        guard let value = attributes[attribute], value.count == 8 || value.count == 20 else { return nil }
        let mask = Self.cookie + transaction
        let port = (UInt16(value[2]) << 8 | UInt16(value[3])) ^ 0x2112
        return StunAddress(bytes: zip(value[4...], mask).map(^), port: port)
    }

    /// Adds an address of a peer.
    func with(peer: StunAddress) -> StunMessage {
        var message = self
        let (mask, port) = (Self.cookie + transaction, peer.port ^ 0x2112)
        message.attributes[.peerAddress] =
            [0, peer.bytes.count == 4 ? 1 : 2, UInt8(port >> 8), UInt8(port & 0xFF)] + zip(peer.bytes, mask).map(^)
        return message
    }

    /// Adds who sends it.
    func with(username: String, realm: [UInt8], nonce: [UInt8]) -> StunMessage {
        var message = self
        message.attributes[.username] = Array(username.utf8)
        message.attributes[.realm] = realm
        message.attributes[.nonce] = nonce
        return message
    }
}

/// An address as STUN and TURN carry it.
struct StunAddress: Equatable {
    /// Four bytes (IPv4) or sixteen (IPv6).
    let bytes: [UInt8]
    let port: UInt16
}
