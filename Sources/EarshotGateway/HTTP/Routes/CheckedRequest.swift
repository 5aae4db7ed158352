import EarshotCore
import EarshotModel
import Foundation
import HTTPTypes
import Hummingbird

/// A request that passed the checks that its route declares.
struct CheckedRequest: Sendable {
    let head: HTTPRequest
    /// The named segments of the path, as they came.
    let parameters: Parameters
    let query: Query
    let fields: Fields
    /// For routes that take bytes.
    let body: RequestBody
    let peer: Peer
    /// The request's `Origin` where it is foreign.
    let foreignOrigin: String?
    /// Counts the request against an allowance. Done already for that of the route, unless a `foreignOrigin` must be
    /// checked first.
    let take: @Sendable (Route.Allowance) throws(Rejection) -> Void

    /// An id from the path. A malformed id is treated as one that does not exist.
    func identifier<Tag>(_ name: String, _: Identifier<Tag>.Type = Identifier<Tag>.self) throws(Rejection)
        -> Identifier<Tag>
    {
        guard let text = parameters.get(name), let identifier = Identifier<Tag>(text) else { throw .notFound }
        return identifier
    }
}

/// The query of a URL.
struct Query: Hashable, Sendable {
    private let values: [String: String]
    private let hasPercent: Bool
    private let isAmbiguous: Bool

    /// Parses the query. A query with a name that is given twice, or without a value, yields nothing.
    init(_ text: Substring?) {
        var values: [String: String] = [:]
        for pair in (text ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, values.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                (self.values, hasPercent, isAmbiguous) = ([:], false, true)
                return
            }
        }
        self.values = values
        hasPercent = text?.contains("%") ?? false
        isAmbiguous = false
    }

    /// - Throws: `bad_request` where a name is given twice or has no value: what was meant is not known, and a filter
    ///   must not silently fall away.
    func checkNames() throws(Rejection) {
        guard !isAmbiguous else {
            throw Rejection(.badRequest, "Each name in the query must be given once, with a value.")
        }
    }

    /// A switch: absent, or `1`.
    func isSet(_ name: String) throws(Rejection) -> Bool {
        guard let value = try text(name) else { return false }
        guard value == "1" else { throw Rejection(.badRequest, "?\(name)= must be 1.") }
        return true
    }

    /// A number, an id or a switch. These need no percent sign: a query with one yields nothing.
    subscript(name: String) -> String? { hasPercent ? nil : values[name] }

    /// A text that a person typed, with percent and plus signs decoded as a form encodes them. It must be UTF-8.
    func text(_ name: String) throws(Rejection) -> String? {
        guard let value = values[name] else { return nil }
        guard let text = value.replacing("+", with: " ").removingPercentEncoding, !text.unicodeScalars.contains("\0")
        else {
            throw Rejection(.badRequest, "?\(name)= must be UTF-8 text.")
        }
        return text
    }
}
