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
    /// Counts the request against the route's allowance. Done already, unless a `foreignOrigin` must be checked first.
    let takeAllowance: @Sendable () throws(Rejection) -> Void

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

    /// Parses the query. A query with the same name twice yields nothing.
    init(_ text: Substring?) {
        var values: [String: String] = [:]
        for pair in (text ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, values.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                (self.values, hasPercent) = ([:], false)
                return
            }
        }
        self.values = values
        hasPercent = text?.contains("%") ?? false
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
