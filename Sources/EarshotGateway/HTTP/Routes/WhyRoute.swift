import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Hummingbird

/// Why a conversation stands where it stands, and who could have it.
struct WhyRoute: Sendable {
    let routing: RoutingService
    let access: ConversationAccess

    var route: Route { Route(.get, "/v1/conversations/{conversation}/why", .agent(why)) }

    @Sendable private func why(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws -> Response
    {
        let (caller, account) = (Caller.agent(signedIn.caller), signedIn.caller.account)
        let open = try await access.open(request.identifier("conversation"), as: caller)
        // One that is closed stands nowhere, and nobody would get it.
        let explanation = routing.explain(open.id, in: account)
        let names = Dictionary(routing.colleagues(of: account).map { ($0.id, $0.name) }) { first, _ in first }
        return try .json(Answer(explanation, names: names))
    }
}

extension WhyRoute {
    private struct Answer: Encodable {
        let score: Total
        let position: Int?
        let due: Timestamp?
        let agents: [Candidate]

        init(_ explanation: Explanation?, names: [AgentID: String]) {
            let score = explanation?.score
            self.score = Total(
                total: score?.total ?? 0,
                parts: score?.parts.map { Part(name: $0.name.rawValue, value: $0.points, text: $0.text) } ?? [])
            (position, due) = (explanation?.position, explanation?.due)
            agents =
                explanation?.agents.map { candidate in
                    Candidate(
                        id: candidate.agent, name: names[candidate.agent], able: candidate.obstacle == nil,
                        text: candidate.obstacle?.text ?? "Would get it.",
                        load: candidate.load, capacity: candidate.capacity)
                } ?? []
        }
    }

    private struct Total: Encodable {
        let total: Int
        let parts: [Part]
    }

    private struct Part: Encodable {
        let name: String
        let value: Int
        let text: String
    }

    private struct Candidate: Encodable {
        let id: AgentID
        let name: String?
        let able: Bool
        let text: String
        let load: Int
        let capacity: Int
    }
}

extension Score.Part {
    fileprivate var text: String {
        switch name {
        case .timeLeft: "An hour, less what is left of its response time."
        case .waiting: "A quarter of the seconds that it waits."
        case .urgent: "It is urgent."
        case .transfers: "It was handed on."
        case .unplayed: "Seconds of voice that nobody has played."
        case .velocity: "What the skill's velocity makes of it."
        }
    }
}

extension Explanation.Obstacle {
    fileprivate var text: String {
        switch self {
        case .offline: "Is not here."
        case .away: "Is away."
        case .occupied: "Takes only what is handed to them."
        case .inCall: "Is in a call."
        case .pausing: "Has just answered something old, and gets a breath."
        case .full: "Has as much to do as they take."
        case .refused: "Declined it, let it ring or gave it back."
        case .reserved: "It is meant for somebody else."
        case .settled: "It asks for nobody right now."
        }
    }
}
