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

/// What the operator's doctor may see of an installation.
public struct InspectedInstallation: Sendable {
    /// Whether the doctor left this token in the data folder.
    let isToken: @Sendable (String) -> Bool
    /// The rows of the database that could not be read, at most 20, each as its table and its key.
    let damagedRows: @Sendable () -> [String]

    /// Creates a description. Without arguments it knows no token, so that every request is refused.
    public init(
        isToken: @escaping @Sendable (String) -> Bool = { _ in false },
        damagedRows: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.isToken = isToken
        self.damagedRows = damagedRows
    }
}

/// Tells the operator's doctor about the running server. The doctor proves that it may write to the data folder by a
/// token that it left there; everyone else is told that there is no such thing.
struct DoctorRoute: Sendable {
    let installation: InspectedInstallation

    private struct Answer: Encodable {
        let version: String
        let forwarding: Forwarding
        let damaged: [String]
    }

    var route: Route { Route(.get, "/v1/doctor/{token}", isGuarded: false, .anyone(tell)) }

    @Sendable private func tell(_ request: CheckedRequest) async throws -> Response {
        guard let token = request.parameters.get("token"), installation.isToken(token) else { throw Rejection.notFound }
        return try .json(
            Answer(
                version: EarshotVersion.current, forwarding: request.peer.forwarding,
                damaged: installation.damagedRows()))
    }
}
