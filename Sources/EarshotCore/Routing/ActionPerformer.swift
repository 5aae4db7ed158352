import Crypto
import EarshotDomain
import EarshotModel

/// Takes the proposed actions of one account to the log.
struct ActionPerformer: Sendable {
    /// The author of everything that Earshot itself does.
    static let author = "earshot"

    private let router: AccountRouter
    private let dependencies: RoutingDependencies

    init(_ router: AccountRouter, _ dependencies: RoutingDependencies) {
        (self.router, self.dependencies) = (router, dependencies)
    }

    /// Performs these actions at the same time. - Returns: those that the log could not take, and why. What it refuses
    /// has been overtaken and is only retracted.
    func perform(_ actions: [ProposedAction]) async -> [(action: ProposedAction, error: any Error)] {
        await withTaskGroup(of: (ProposedAction, any Error)?.self) { group in
            for action in actions {
                group.addTask {
                    do { try await self.perform(action) } catch { return (action, error) }
                    return nil
                }
            }
            return await group.reduce(into: []) { failures, failure in if let failure { failures.append(failure) } }
        }
    }

    /// - Throws: what kept the log from taking the action.
    private func perform(_ proposed: ProposedAction) async throws {
        let found: RoutingActionContext?
        do { found = try await context(for: proposed) } catch {
            retract(proposed)
            throw error
        }
        let sequence = router.read { $0.state(of: proposed.conversation)?.sequence } ?? nil
        guard let context = found, let sequence else { return retract(proposed) }
        let change = change(proposed, context, sequence: sequence)
        let result = await withCheckedContinuation { continuation in
            dependencies.store.change(change) { continuation.resume(returning: $0) }
        }
        dependencies.metrics.count(proposed.action, result)
        guard case .failure(let failure) = result else { return }
        retract(proposed)
        if case .failed(let failure) = failure { throw failure }
    }

    private func retract(_ proposed: ProposedAction) {
        let now = dependencies.now()
        router.read { $0.retract(proposed.conversation, now: now) }
    }

    /// The same action on the same state has the same key: one that was stored, and whose answer was lost, is not
    /// stored again.
    private func change(_ proposed: ProposedAction, _ context: RoutingActionContext, sequence: Int) -> Change {
        let (router, action) = (router, proposed.action)
        let key = IdempotencyKey(trusted: "\(action.keyName)-\(sequence)")
        return Change(
            .existing(proposed.conversation),
            .init(
                author: Self.author, key: key,
                digest: Array(SHA256.hash(data: Array(key.rawValue.utf8)).prefix(16)), at: dependencies.now()),
            decide: { state throws(Rejection) in
                // An account may have been disabled, or lost a permission, since the action was proposed.
                guard router.read({ state in action.agents.allSatisfy { state.mayAnswer($0) } }) == true else {
                    throw Rejection(.stale, "The agent may no longer get conversations.")
                }
                return try state.decide(action, in: context)
            })
    }

    /// Looks up what deciding this action needs. - Returns: `nil` where the action no longer applies.
    private func context(for proposed: ProposedAction) async throws -> RoutingActionContext? {
        let id = proposed.conversation
        guard let known = router.read({ router in router.state(of: id).map { ($0, router.settings) } }) ?? nil else {
            return nil
        }
        let (state, settings) = known
        var context = RoutingActionContext(defaultSkill: settings.defaultSkill.id)
        switch proposed.action {
        case .route:
            let routed = try await route(state, settings)
            context.route = routed
        case .assign(let agent, _):
            guard let member = router.read({ $0.staff[agent] }) ?? nil else { return nil }
            context.assignee = RoutingActionContext.Assignee(name: member.name, role: member.role)
        case .sendMessage(let occasion, _):
            guard let text = try await text(of: occasion, in: state) else { return nil }
            context.text = text
        case .sendSurvey:
            let survey = settings.survey
            let until = dependencies.now().adding(milliseconds: Int64(survey.openSeconds) * 1000)
            context.survey = .init(
                question: survey.question, csat: survey.csat, nps: survey.nps, words: survey.words, until: until)
        case .offer, .expireOffer, .requeue, .withdraw, .releaseReservation, .moveToFallback, .closeIdle,
            .closeUnanswered, .resumeClosed, .endCall:
            break
        }
        context.now = dependencies.now()
        return context
    }

    /// Applies the brand's routing rules to what is known about the consumer.
    private func route(_ state: ConversationState, _ settings: ContactCentreSettings) async throws -> Routed {
        let consumer = try await dependencies.accounts.consumer(state.identity.consumer)
        if let language = consumer?.language { router.read { $0.set(language: language, of: state.identity.id) } }
        return settings.route(
            RouteFacts(
                page: consumer?.page, language: consumer?.language, channel: state.identity.channel.rawValue,
                app: state.identity.app.rawValue, attributes: state.routing.attributes))
    }

    private func text(of occasion: AutomaticMessage.Occasion, in state: ConversationState) async throws -> String? {
        let consumer = try await dependencies.accounts.consumer(state.identity.consumer)
        let brand = try await dependencies.accounts.account(state.identity.account)?.name
        let now = dependencies.now()
        return router.read { router -> String? in
            guard let state = router.state(of: state.identity.id) else { return nil }
            let skill = state.routing.skill ?? router.settings.defaultSkill.id
            let message = router.settings.automatic(occasion, skill: skill, language: consumer?.language)
            let values = PlaceholderValues(state: state, router: router, brand: brand, consumer: consumer, now: now)
            return message?.words(values.values)
        } ?? nil
    }
}

extension RoutingAction {
    /// The agents who get it or are asked.
    fileprivate var agents: [AgentID] {
        switch self {
        case .offer(let agents, _, _): agents
        case .assign(let agent, _): [agent]
        default: []
        }
    }

    /// The first part of the idempotency key.
    fileprivate var keyName: String {
        switch self {
        case .route: "route"
        case .offer: "offer"
        case .assign: "assign"
        case .expireOffer: "expire-offer"
        case .requeue: "requeue"
        case .withdraw: "withdraw"
        case .releaseReservation: "release"
        case .moveToFallback: "fallback"
        case .sendMessage(let occasion, let armedAt): "message-\(occasion.rawValue)-\(armedAt.milliseconds)"
        case .closeIdle: "close"
        case .closeUnanswered: "close-unanswered"
        case .resumeClosed(let since): "resume-\(since.milliseconds)"
        case .sendSurvey(let closedAt): "survey-\(closedAt.milliseconds)"
        case .endCall(let number, let why): "end-call-\(number)-\(why.rawValue)"
        }
    }
}
