import HTTPTypes

/// All routes, and which of them a request means. The guard below HTTP and the responder above it ask the same table, so a body limit can never
/// belong to another route than the one that answers.
struct RouteTable: Sendable {
    let routes: [Route]

    enum Match: Sendable {
        case route(Route, parameters: [String: String])
        /// There is such a path, but not with this method.
        case otherMethods([HTTPRequest.Method])
        case nothing
    }

    init(_ routes: [Route]) {
        self.routes = routes
        let names = routes.map { "\($0.method) \($0.path)" }
        precondition(Set(names).count == names.count, "each route stands in the table once")
    }

    /// - Parameter path: without the query. `HEAD` means the route of `GET`.
    func match(_ method: HTTPRequest.Method, _ path: some StringProtocol) -> Match {
        let wanted = method == .head ? .get : method
        let parts = RoutePath.split(path)
        var others: [HTTPRequest.Method] = []
        for route in routes {
            guard let parameters = route.path.match(parts) else { continue }
            if route.method == wanted { return .route(route, parameters: parameters) }
            others.append(route.method)
        }
        return others.isEmpty ? .nothing : .otherMethods(others)
    }

    /// How much a request may bring, and how long that may take. What no route takes may bring nothing.
    func limits(_ method: HTTPRequest.Method, _ path: some StringProtocol) -> BodyLimits {
        guard case .route(let route, _) = match(method, path) else { return .nothing }
        switch route.body {
        case .none: return .nothing
        case .json: return .json
        case .document: return .document
        case .bytes(let limit): return .upload(limit)
        }
    }
}
