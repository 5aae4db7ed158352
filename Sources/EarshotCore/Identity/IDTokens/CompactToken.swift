import EarshotModel

/// The parts of a signed token in compact form (RFC 7515 section 7.1), before its signature is verified.
struct CompactToken {
    /// Longer tokens are refused before anything is decoded.
    static let maximumBytes = 16 * 1024
    private static let maximumHeaderBytes = 2 * 1024
    private static let maximumKeyIDBytes = 255
    /// Header parameters that name a key of the token's own choice, or that change how the payload is read. A verifier
    /// that ignores them may read another token than its maker signed.
    private static let refusedParameters = ["b64", "crit", "cty", "enc", "jku", "jwk", "x5c", "x5u", "zip"]

    /// The name of the algorithm in the header, which the token's maker chose.
    let algorithm: String
    /// The id of the key, if the header names one.
    let keyID: String?
    /// What the signature covers.
    let signedBytes: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]

    /// Takes a token apart.
    init(_ text: String) throws(IDTokenFailure) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLarge }
        let parts = Array(text.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), let header = Self.decode(parts[0]),
            let payload = Self.decode(parts[1]), let signature = Self.decode(parts[2])
        else { throw .malformed }
        guard header.count <= Self.maximumHeaderBytes, let members = (try? StrictJSON.parse(header))?.members
        else { throw .malformedHeader }
        guard Self.refusedParameters.allSatisfy({ members[$0] == nil }) else { throw .unsupportedHeader }
        if let type = members["typ"] {
            guard type.text?.lowercased() == "jwt" else { throw .wrongType }
        }
        guard let algorithm = members["alg"]?.text else { throw .malformedHeader }
        self.algorithm = algorithm
        keyID = try Self.keyID(of: members)
        signedBytes = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
        self.payload = payload
        self.signature = signature
    }

    private static func keyID(of members: [String: JSONValue]) throws(IDTokenFailure) -> String? {
        guard let member = members["kid"] else { return nil }
        guard let id = member.text, !id.isEmpty, id.utf8.count <= maximumKeyIDBytes else { throw .malformedHeader }
        return id
    }

    private static func decode(_ part: ArraySlice<UInt8>) -> [UInt8]? {
        Base64URL.decode(String(decoding: part, as: UTF8.self))
    }
}
