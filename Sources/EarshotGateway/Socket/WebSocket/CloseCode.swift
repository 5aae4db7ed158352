/// The reason why a socket closes (RFC 6455 section 7.4, and our own from 4400: docs/protocol.md section 2).
struct CloseCode: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    static let normal = CloseCode(rawValue: 1000)
    static let goingAway = CloseCode(rawValue: 1001)
    static let protocolError = CloseCode(rawValue: 1002)
    static let unsupportedData = CloseCode(rawValue: 1003)
    static let notUTF8 = CloseCode(rawValue: 1007)
    static let policy = CloseCode(rawValue: 1008)
    static let tooBig = CloseCode(rawValue: 1009)
    static let badHello = CloseCode(rawValue: 4400)
    static let notSignedIn = CloseCode(rawValue: 4401)
    static let refused = CloseCode(rawValue: 4403)
    static let noHello = CloseCode(rawValue: 4408)
    static let heartbeatLost = CloseCode(rawValue: 4409)
    static let tooSlow = CloseCode(rawValue: 4410)
    static let tooManyFrames = CloseCode(rawValue: 4429)

    /// Whether a peer may send it. 1004 to 1006 and 1015 never appear in a frame; codes below 3000 belong to the RFC
    /// and its registry.
    var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
