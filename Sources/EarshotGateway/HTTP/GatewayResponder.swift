import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird
import Logging

/// Answers every request: finds its route or page, checks what the route declares, and turns every error into the same
/// kind of answer.
struct GatewayResponder: HTTPResponder {
    typealias Context = GatewayContext

    let router: GatewayRouter
    let pages: Pages
    let gate: RequestGate
    let headers: SecurityHeaders
    let requestIDs: RequestIDs
    let metrics: GatewayMetrics
    let requests: RequestMetrics
    let proxyWarning: ProxyWarning

    func respond(to request: Request, context: GatewayContext) async throws -> Response {
        let began = ContinuousClock.now
        let id = requestIDs.id(of: request.headers, connection: context.connectionAddress)
        var logger = context.logger
        logger[metadataKey: "request"] = "\(id)"
        let target = (request.head.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = target.first ?? ""
        let match = router.match(request.method, path)
        var response: Response
        do {
            let peer = gate.peers.peer(connection: context.connectionAddress, fields: request.headers)
            proxyWarning.check(peer)
            let leave = try gate.forwarded.enter(peer)
            defer { leave?() }
            response = try await answer(request, match, path, Query(target.count == 2 ? target[1] : nil), peer)
            share(&response, match, request, refused: nil)
        } catch {
            response = try refusal(error, id: id, logger)
            share(&response, match, request, refused: (error as? Rejection)?.code)
        }
        count(match, path, response.status, after: began.duration(to: .now), logger)
        response.headers.complete(with: headers.everywhere)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(
        _ request: Request, _ match: GatewayRouter.Match, _ path: Substring, _ query: Query, _ peer: Peer
    ) async throws -> Response {
        switch match {
        case .route(let route, let parameters):
            var response = try await gate.answer(route, request, parameters, query, peer)
            response.headers.complete(with: headers.api)
            return response
        case .otherMethods(let methods):
            guard let answer = try await gate.preflight(request, router.routes(at: path), peer) else {
                return try notAllowed(methods)
            }
            return answer
        case .notFound:
            return try await page(request, path, query, peer)
        }
    }

    /// Lets the scripts of a page of another site read the answer, where they may.
    private func share(
        _ response: inout Response, _ match: GatewayRouter.Match, _ request: Request, refused: Rejection.Code?
    ) {
        guard case .route(let route, _) = match else { return }
        gate.pages.share(&response.headers, of: route, to: request.head, refused: refused)
    }

    private func page(_ request: Request, _ path: Substring, _ query: Query, _ peer: Peer) async throws -> Response {
        try gate.checkProtected(peer)
        try gate.checkAccepting()
        guard let page = pages[path] else {
            guard let answer = pages.notFound(request) else { throw Rejection.notFound }
            metrics.refusals.increment(.notFound)
            return answer
        }
        guard request.method == .get || request.method == .head else { return try notAllowed([.get, .head]) }
        // The widget's page looks its app up.
        if try query.text("account") != nil { try gate.allowances.takeAddress(.requests, peer) }
        return try await pages.answer(page, request, query)
    }

    private func count(
        _ match: GatewayRouter.Match, _ path: Substring, _ status: HTTPResponse.Status, after time: Duration,
        _ logger: Logger
    ) {
        let target: RequestMetrics.Target =
            switch match {
            case .route(let route, _): .route(route.method, path: route.path)
            case .otherMethods: .nothing
            case .notFound: pages[path] == nil ? .nothing : .page
            }
        requests.count(target, status, after: time)
        logger.debug("A request was answered.", metadata: ["target": "\(target)", "status": "\(status.code)"])
    }

    private func notAllowed(_ methods: [HTTPRequest.Method]) throws -> Response {
        throw MethodNotAllowed(allowed: methods)
    }
}

struct MethodNotAllowed: Error {
    let allowed: [HTTPRequest.Method]
}

extension GatewayResponder {
    private func refusal(_ error: any Error, id: String, _ logger: Logger) throws -> Response {
        switch error {
        case let rejection as Rejection: return refusal(rejection, id: id)
        case let cut as RequestCut: return refusal(cut.rejection, id: id)
        case let method as MethodNotAllowed:
            var response = refusal(
                Rejection(.methodNotAllowed, "This method is not allowed here. See the Allow header."), id: id)
            response.headers[.allow] = method.allowed.map(\.rawValue).joined(separator: ", ")
            return response
        case let failure as AdapterFailure:
            logger.error(
                "A request failed.",
                metadata: ["what": "\(failure.what)", "retryable": "\(failure.isRetryable)"])
            return refusal(failure.rejection, id: id)
        default:
            if ConnectionEnd.explains(error) { throw error }
            logger.error("A request failed.", metadata: ["what": "\(type(of: error))"])
            return refusal(.unavailable, id: id)
        }
    }

    private func refusal(_ rejection: Rejection, id: String) -> Response {
        metrics.refusals.increment(rejection.code)
        // For a gap, the rejection carries the number of received bytes as its limit.
        let received = rejection.code == .uploadGap ? rejection.limit : nil
        let shown =
            received == nil ? rejection : Rejection(rejection.code, rejection.text, retryAfter: rejection.retryAfter)
        var fields = HTTPFields()
        fields[.contentType] = ErrorBody.contentType
        if let retryAfter = rejection.retryAfter { fields[.retryAfter] = String(retryAfter) }
        fields.complete(with: headers.api)
        return Response(
            status: ErrorBody.status(of: rejection.code), headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: ErrorBody(shown, request: id, received: received).encoded))
        )
    }
}
