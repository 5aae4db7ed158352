import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// What a server made of the forwarding headers of a request.
public enum Forwarding: String, Codable, Sendable {
    /// No proxy is declared: the connection's own address counts.
    case direct
    /// A declared proxy named the client.
    case used
    /// A declared proxy named no client.
    case missing
    /// A declared proxy sent something that is no list of addresses.
    case unreadable
    /// The connection comes from no declared proxy.
    case unknownProxy
}

/// Tells the operator's doctor about the running server. The doctor proves that it may write to the data folder by a
/// token that it left there; everyone else is told that there is no such thing.
struct DoctorRoute: Sendable {
    /// Whether the doctor left this token.
    let isToken: @Sendable (String) -> Bool

    var route: Route { Route(.get, "/v1/doctor/{token}", isGuarded: false, .anyone(tell)) }

    @Sendable private func tell(_ request: CheckedRequest) async throws -> Response {
        guard let token = request.parameters.get("token"), isToken(token) else { throw Rejection.notFound }
        return try .json(["version": EarshotVersion.current, "forwarding": request.peer.forwarding.rawValue])
    }
}
