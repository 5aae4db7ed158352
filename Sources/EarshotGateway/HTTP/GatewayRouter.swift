import HTTPTypes
@_spi(Internal) import Hummingbird

/// Matches requests to routes with Hummingbird's router trie. The guard below HTTP and the responder above it ask the
/// same trie, so the body limit that holds is always that of the route that answers.
///
/// Hummingbird's `Router` can only be asked through an asynchronous responder. The guard decides on the event loop,
/// from the head alone: so this type holds the trie that `Router` is built on.
struct GatewayRouter: Sendable {
    /// All routes, in the order of their declaration.
    let routes: [Route]
    private let trie: RouterTrie<[HTTPRequest.Method: Route]>

    /// What a request means.
    enum Match: Sendable {
        case route(Route, Parameters)
        /// The path exists, with these methods only.
        case otherMethods([HTTPRequest.Method])
        case notFound
    }

    init(_ routes: [Route]) {
        self.routes = routes
        let builder = RouterPathTrieBuilder<[HTTPRequest.Method: Route]>()
        for (path, routes) in Dictionary(grouping: routes, by: \.path) {
            let methods = Dictionary(routes.map { ($0.method, $0) }) { _, second in
                preconditionFailure("\(second.method) \(path) is declared twice")
            }
            builder.addEntry(RouterPath(path), value: methods)
        }
        trie = builder.build()
    }

    /// Finds the route of a request. `HEAD` means the route of `GET`.
    /// - Parameter path: as it came, without the query. Nothing is decoded: no path or id of ours needs a percent sign.
    func match(_ method: HTTPRequest.Method, _ path: some StringProtocol) -> Match {
        guard Self.isPlain(path), let (methods, parameters) = trie.resolve(String(path)) else { return .notFound }
        guard let route = methods[method == .head ? .get : method] else {
            let known = methods.keys.sorted { $0.rawValue < $1.rawValue }
            return .otherMethods(methods[.get] == nil ? known : known + [.head])
        }
        return .route(route, parameters)
    }

    /// The routes of a path.
    func routes(at path: some StringProtocol) -> [Route] {
        guard Self.isPlain(path), let (methods, _) = trie.resolve(String(path)) else { return [] }
        return Array(methods.values)
    }

    /// Whether a path begins with a slash and has no empty segment. Hummingbird's trie skips empty segments; here they
    /// are not found.
    private static func isPlain(_ path: some StringProtocol) -> Bool {
        path.hasPrefix("/") && !path.hasSuffix("/") && !path.contains("//")
    }

    /// What a request may bring, and how long that may take. A request for an unknown path may bring nothing; one with
    /// a method that its path does not have may bring as much as JSON, so that it is told about its method.
    func limits(_ method: HTTPRequest.Method, _ path: some StringProtocol) -> BodyLimits {
        let route: Route
        switch match(method, path) {
        case .route(let found, _): route = found
        case .otherMethods: return .json
        case .notFound: return .nothing
        }
        switch route.body {
        case .none: return .nothing
        case .json: return .json
        case .document: return .document
        case .bytes(let limit): return .upload(limit)
        }
    }
}
