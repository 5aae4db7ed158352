import Crypto
import EarshotDomain
import EarshotModel
import Synchronization

/// Proposals and scheduledActions on their way into the log.
extension RoutingService {
    /// Asks the writer. What it refuses has been overtaken, and may be proposed again.
    /// - Throws: what kept the log from taking it; the task stands again.
    func perform(_ task: AccountRouter.Task, of account: AccountID) async throws {
        let found: Step?
        do { found = try await step(for: task, of: account) } catch {
            retract(task, of: account, isRefused: false)
            throw error
        }
        guard let step = found else { return retract(task, of: account) }
        let id = task.conversation
        guard let sequence = memory.withLock({ $0.routers[account]?.states[id]?.sequence }) else {
            return retract(task, of: account)
        }
        // The same thought about the same state has the same key: a step that was stored, and whose answer was lost, is not stored again.
        let key = step.key(at: sequence)
        let change = Change(
            .existing(id),
            .init(
                author: Self.author, key: key,
                digest: Array(SHA256.hash(data: Array(key.rawValue.utf8)).prefix(16)), at: now()),
            decide: { [self] state throws(Rejection) in
                // Whoever was switched off since this was thought of gets nothing any more.
                if let who = step.people,
                    !memory.withLock({ memory in who.allSatisfy { memory.routers[account]?.works($0) ?? false } })
                {
                    throw Self.overtaken
                }
                return try state.decide(step)
            })
        let result = await withCheckedContinuation { continuation in
            store.change(change) { continuation.resume(returning: $0) }
        }
        guard case .failure(let failure) = result else { return }
        retract(task, of: account, isRefused: failure.isRefusal)
        if case .failed(let failure) = failure { throw failure }
    }

    static let author = "earshot"
    private static let overtaken = Rejection(.stale, "This is over.")

    private func retract(_ task: AccountRouter.Task, of account: AccountID, isRefused: Bool = true) {
        let now = now()
        memory.withLock { memory in
            memory.routers[account]?.retract(task.conversation, now: now)
            if !isRefused { memory.routers[account]?.again(task) }
        }
    }

    private func step(for task: AccountRouter.Task, of account: AccountID) async throws -> Step? {
        switch task.step {
        case .route: try await route(task.conversation, of: account)
        case .move(let move): step(for: move, of: account)
        case .scheduledAction(let scheduledAction):
            try await step(for: scheduledAction, in: task.conversation, of: account)
        }
    }

    private func step(for move: Move, of account: AccountID) -> Step? {
        memory.withLock { memory -> Step? in
            guard let router = memory.routers[account], let state = router.states[move.conversation] else { return nil }
            let skill = state.routing.skill ?? router.centre.defaultSkill.id
            switch move {
            case .offer(_, let to, let until, _): return .offer(to: to, until: until)
            case .assign(_, let agent, _):
                return router.staff[agent].map { .assign(agent, name: $0.name, role: $0.role) }
            case .lapse: return state.routing.offer.map { .lapse($0.to) }
            case .requeue(_, let why): return .requeue(why == .silentOffline ? .offline : .silent, skill: skill)
            case .release: return .release(skill: skill)
            case .fallback(_, let skill): return .fallback(to: skill)
            }
        }
    }

    /// What the consumer's page and language say of where they should go.
    private func route(_ id: ConversationID, of account: AccountID) async throws -> Step? {
        let known = memory.withLock { memory -> (ConversationState, ContactCentreSettings)? in
            guard let router = memory.routers[account], let state = router.states[id] else { return nil }
            return (state, router.centre)
        }
        guard let (state, centre) = known else { return nil }
        let consumer = try await accounts.consumer(state.identity.consumer)
        if let language = consumer?.language { memory.withLock { $0.routers[account]?.know(language, of: id) } }
        let facts = RouteFacts(
            page: consumer?.page, language: consumer?.language, channel: state.identity.channel.rawValue,
            app: state.identity.app.rawValue, attributes: state.routing.attributes)
        let routed = centre.route(facts)
        return .route(to: routed.skill, urgent: routed.urgent)
    }

    private func step(for scheduledAction: ScheduledAction, in id: ConversationID, of account: AccountID) async throws
        -> Step?
    {
        switch scheduledAction.what {
        case .closeIdle: return .closeIdle(silentSince: scheduledAction.armed)
        case .survey:
            guard let survey = memory.withLock({ $0.routers[account]?.centre.survey }) else { return nil }
            let until = now().adding(milliseconds: Int64(survey.openSeconds) * 1000)
            return .survey(
                .init(question: survey.question, csat: survey.csat, nps: survey.nps, words: survey.words, until: until),
                after: scheduledAction.armed)
        case .say(let occasion): return try await saying(occasion, armed: scheduledAction.armed, in: id, of: account)
        }
    }

    private func saying(
        _ occasion: AutomaticMessage.Occasion, armed: Timestamp, in id: ConversationID, of account: AccountID
    ) async throws -> Step? {
        guard let identity = memory.withLock({ $0.routers[account]?.states[id]?.identity }) else { return nil }
        let (consumer, brand) = (try await accounts.consumer(identity.consumer), try await accounts.account(account))
        let now = now()
        // Worked out behind the lock: a copy of the router that outlived it would make the next change copy all of it.
        return memory.withLock { memory -> Step? in
            guard let router = memory.routers[account], let state = router.states[id] else { return nil }
            let skill = state.routing.skill ?? router.centre.defaultSkill.id
            guard let message = router.centre.automatic(occasion, skill: skill, language: consumer?.language) else {
                return nil
            }
            let words = Words(state: state, router: router, brand: brand?.name, consumer: consumer, now: now)
            return message.words(words.values).map { .say(occasion, $0, armed: armed) }
        }
    }
}

extension Step {
    /// Whom it rings at, or who gets it.
    fileprivate var people: [AgentID]? {
        switch self {
        case .offer(let to, _): to
        case .assign(let agent, _, _): [agent]
        default: nil
        }
    }

    /// One name for one thought about one state.
    fileprivate func key(at sequence: Int) -> IdempotencyKey {
        let name =
            switch self {
            case .route: "route"
            case .offer: "offer"
            case .assign: "assign"
            case .lapse: "lapse"
            case .requeue: "requeue"
            case .release: "release"
            case .fallback: "fallback"
            case .say(let occasion, _, let armed): "say-\(occasion.rawValue)-\(armed.milliseconds)"
            case .closeIdle: "close"
            case .survey(_, let after): "survey-\(after.milliseconds)"
            }
        return IdempotencyKey(trusted: "\(name)-\(sequence)")
    }
}

extension ChangeFailure {
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}
