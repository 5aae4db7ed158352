import HTTPTypes

/// Comparison of entity tags (RFC 9110 section 13).
enum EntityTags {
    /// Whether the client has this version already. Weak tags count.
    static func isKnown(_ tag: String, to fields: HTTPFields) -> Bool {
        fields[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.contains { given in
            let given = given.drop { $0 == " " }
            return given == "*" || given == tag || given == "W/" + tag
        }
    }

    /// Whether the client may get a range of this version: not where it holds parts of another one.
    static func allowsRange(_ tag: String, for fields: HTTPFields) -> Bool {
        fields[.ifRange].map { $0 == tag } ?? true
    }
}
