import EarshotCore
import EarshotModel
import Foundation
import HTTPTypes
import Hummingbird

/// A request, after everything about it that its route declares was checked.
struct CheckedRequest: Sendable {
    let head: HTTPRequest
    /// The named segments of the path, as they came.
    let parameters: Parameters
    let query: Query
    let fields: Fields
    /// For routes that take bytes.
    let body: RequestBody
    let peer: Peer
    /// The request's `Origin`, where it is not our own.
    let foreignOrigin: String?
    /// Takes one of the route's allowance. Already taken, unless there is a `foreignOrigin` to be judged first.
    let takeAllowance: @Sendable () throws(Rejection) -> Void

    /// An id from the path. One that is malformed is one that does not exist.
    func identifier<Tag>(_ name: String, _: Identifier<Tag>.Type = Identifier<Tag>.self) throws(Rejection)
        -> Identifier<Tag>
    {
        guard let text = parameters.get(name), let identifier = Identifier<Tag>(text) else { throw .notFound }
        return identifier
    }
}

/// The part of a URL behind the question mark.
struct Query: Hashable, Sendable {
    private let values: [String: String]
    private let hasPercent: Bool

    /// A name twice makes a query that has nothing.
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

    /// A number, an id or a switch. Needs no percent sign: a query that has one has nothing.
    subscript(name: String) -> String? { hasPercent ? nil : values[name] }

    /// What somebody typed: percent signs and plus signs as a form sends them. What is no UTF-8 is no text.
    func text(_ name: String) throws(Rejection) -> String? {
        guard let value = values[name] else { return nil }
        guard let text = value.replacing("+", with: " ").removingPercentEncoding, !text.unicodeScalars.contains("\0")
        else {
            throw Rejection(.badRequest, "?\(name)= is no text.")
        }
        return text
    }
}
