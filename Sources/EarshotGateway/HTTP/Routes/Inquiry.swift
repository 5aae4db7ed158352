import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// A request, after everything about it that its route declares was checked.
struct Inquiry: Sendable {
    let head: HTTPRequest
    /// The named segments of the path, as they came.
    let parameters: [String: String]
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
    func identifier<Tag>(_ name: String, _: Identifier<Tag>.Type = Identifier<Tag>.self) throws(Rejection) -> Identifier<Tag> {
        guard let text = parameters[name], let identifier = Identifier<Tag>(text) else { throw .notFound }
        return identifier
    }
}

/// The part of a URL behind the question mark.
struct Query: Hashable, Sendable {
    private let values: [String: String]

    /// A name twice, or a percent sign, makes a query that has nothing: ours need neither.
    init(_ text: Substring?) {
        var values: [String: String] = [:]
        for pair in (text ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !pair.contains("%"), values.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                self.values = [:]
                return
            }
        }
        self.values = values
    }

    subscript(name: String) -> String? { values[name] }
}
