import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Hummingbird

/// Explains a conversation's position in the queue, and which agents could get it.
struct WhyRoute: Sendable {
    let routing: RoutingService
    let access: ConversationAccess

    var route: Route { Route(.get, "/v1/conversations/{conversation}/why", .agent(.readConversations, why)) }

    @Sendable private func why(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws -> Response
    {
        let (caller, account) = (Caller.agent(signedIn.caller), signedIn.caller.account)
        let open = try await access.open(request.identifier("conversation"), as: caller)
        // A closed conversation has no position, and no agent would get it.
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
                        text: candidate.obstacle?.text ?? "Can be offered this conversation.",
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
        case .timeLeft: "One hour minus the time left until its response is due."
        case .waiting: "A quarter of its waiting time in seconds."
        case .urgent: "Marked as urgent."
        case .transfers: "It was transferred."
        case .unplayed: "Seconds of voice messages that no one has played."
        case .velocity: "The skill's velocity, applied to the sum."
        }
    }
}

extension Explanation.Obstacle {
    fileprivate var text: String {
        switch self {
        case .offline: "Offline."
        case .away: "Away."
        case .occupied: "Accepts transfers only."
        case .inCall: "In a call."
        case .pausing: "On a short break after their last answer."
        case .full: "At capacity."
        case .noPermission: "Their profile doesn’t let them answer."
        case .refused: "Declined it, missed the offer or returned it."
        case .reserved: "Reserved for another agent."
        case .settled: "Needs no agent right now."
        }
    }
}
