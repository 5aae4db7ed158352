public import EarshotModel

/// The contact centre of one account in memory: which conversations wait, who is there, and what should happen next.
///
/// Report what happened (`update`, `remove`, `set`) and ask what should happen (`proposeActions`). The engine decides
/// nothing that lasts: an action is a proposal, is made once, and counts as done until the conversation's entry is
/// reported again or `retract` says that it came to nothing. The same calls give the same actions on every machine; the
/// time is an argument. Every call costs the logarithm of the number of agents and waiting conversations, times the
/// skills of an agent; only `set(_ centre:)` and `explain` look at everything.
///
/// The first conversation of a queue is matched first: with the agent it is reserved for, else with the one who
/// answered the consumer before, else with the one who has the lowest load, and among these with the one who has waited
/// longest. Agents who refused it are not asked again while another agent is online who did not. When all have refused,
/// it pauses for the length of an offer, twice that the next time, and so on up to ten minutes; then all may be asked
/// again.
public struct RoutingEngine: Sendable {
    /// The most agents that get one offer where a skill offers to all: those with the lowest load.
    public static let offersAtOnce = 50
    /// The longest pause after every agent has refused.
    public static let longestPauseMs: Int64 = 600_000
    /// Callers may read their clocks in another order than they call. A larger difference means that the clock was set
    /// back.
    static let toleranceMs: Int64 = 5_000

    private var matcher: Matcher
    private var conversations = ConversationTable()
    private var roster: AgentRoster
    private var queues: RankedQueues
    private var deadlines = DeadlineScheduler()
    /// The slots of conversations that have a due action, regardless of which agents are available.
    private var withDueAction: [Int] = []
    /// The latest moment at which actions were asked for.
    private var latest = Timestamp(milliseconds: .min)

    /// Makes an engine without conversations, in which no agent's presence is known.
    public init(centre: ContactCentreSettings) {
        matcher = Matcher(centre)
        queues = RankedQueues(centre)
        roster = AgentRoster(centre, queues: queues)
    }

    /// The settings changed: places every conversation again. Presence, calls and who was asked stay; proposals that
    /// have not come back are made again.
    public mutating func set(_ centre: ContactCentreSettings, now: Timestamp) {
        let (agents, open) = (roster.all, conversations.all)
        self = RoutingEngine(centre: centre)
        for agent in agents {
            roster.takeOver(agent)
            let slot = roster.addSlot(for: agent.id)
            if let until = agent.pausedUntil { roster.pause(slot, until: until, &queues, &deadlines) }
            if let presence = agent.presence {
                set(
                    presence, of: agent.id, isSwitchedOff: agent.isSwitchedOff, mayAnswer: agent.mayAnswer, now: now)
            }
        }
        for conversation in open { track(conversation.reset(), now: now) }
    }

    /// Reports an open conversation: call it for all of them at start, and after every commit that changed one.
    public mutating func update(_ entry: QueueEntry, now: Timestamp) {
        let known = conversations[entry.conversation]
        // Most commits change nothing for routing.
        if let known, known.entry == entry, known.isUntouched { return }
        track(known?.updated(with: entry) ?? TrackedConversation(entry), now: now)
    }

    /// Reports that a conversation was closed.
    public mutating func remove(_ conversation: ConversationID) {
        guard let (slot, placement) = conversations.remove(conversation) else { return }
        move(slot, from: placement, to: nil)
    }

    /// Reports an agent's presence; call it for every agent at start. Agents whose presence is unknown get no
    /// conversations and lose none.
    /// - Parameter isSwitchedOff: their account is disabled. They are offline, and what is reserved for them is
    /// released.
    /// - Parameter mayAnswer: their profile lets them answer. Else they count as not there, and what is assigned,
    /// offered or reserved for them goes back to the queue at once.
    public mutating func set(
        _ presence: Presence, of agent: AgentID, isSwitchedOff: Bool = false, mayAnswer: Bool = true, now: Timestamp
    ) {
        let slot = roster.addSlot(for: agent)
        let (wasOnline, wasExcluded) = (roster[slot].isOnline, roster[slot].isExcluded)
        roster.set(presence, isSwitchedOff: isSwitchedOff, mayAnswer: mayAnswer, of: slot)
        place(
            roster[slot].allSlots + (wasExcluded != roster[slot].isExcluded ? roster[slot].reservedSlots : []), now)
        if wasOnline != roster[slot].isOnline { countOnline(slot, now) }
        roster.updateAvailability(of: slot, &queues)
    }

    /// Reports that an agent is in a call, which takes all of their capacity, or no longer is.
    public mutating func set(inCall: Bool, of agent: AgentID) {
        roster.set(inCall: inCall, of: roster.addSlot(for: agent), &queues)
    }

    /// Reports that a proposed action came to nothing, and that nothing else happened to the conversation. It is
    /// proposed again after a second, after two the next time, and so on up to a minute, so that an action that is
    /// always refused does not keep the machine busy.
    public mutating func retract(_ conversation: ConversationID, now: Timestamp) {
        guard let slot = conversations.slot(of: conversation), conversations[slot]?.proposal != nil else { return }
        conversations.update(slot) { $0.retract(now: now) }
        place([slot], now)
    }

    /// Returns what should happen now, in this order. Each action is proposed once.
    public mutating func proposeActions(now: Timestamp) -> [ProposedAction] {
        if now.adding(milliseconds: Self.toleranceMs) < latest { clearPausesAfterClockChange(now) }
        latest = now
        passDeadlines(now)
        var actions = proposeDueActions(now)
        actions += matchReservations(now)
        actions += matchQueues(now)
        return actions
    }

    /// When to ask for actions again if nothing is reported before. Valid after `proposeActions`.
    public var nextDeadline: Timestamp? { deadlines.next }
}

// MARK: - Placing conversations

extension RoutingEngine {
    private mutating func track(_ conversation: TrackedConversation, now: Timestamp) {
        let entry = conversation.entry
        let slot = conversations.addSlot(for: entry.conversation)
        for agent in [entry.agents.assignee, entry.agents.reserved?.agent] {
            if let agent { roster.addSlot(for: agent) }
        }
        for agent in entry.agents.offer?.to ?? [] { roster.addSlot(for: agent) }
        var conversation = conversation
        conversation.prepare(
            queue: queues.index(of: entry.skill), due: matcher.rules.timetable.due(entry),
            placement: conversations[slot]?.placement)
        conversations.set(conversation, in: slot)
        if let agent = entry.agents.assignee, let moment = entry.times.assignedAt {
            roster.noteAssigned(to: roster.addSlot(for: agent), at: moment, &queues)
        }
        place([slot], now)
    }

    /// Places these conversations again, as they are at this moment.
    private mutating func place(_ slots: [Int], _ now: Timestamp) {
        for slot in slots {
            guard let conversation = conversations[slot] else { continue }
            pauseAfterBacklog(conversation.entry, now)
            let placement = matcher.placement(of: conversation, slot: slot, roster, queues, now)
            guard placement != conversation.placement else { continue }
            conversations.update(slot) { $0.place(placement) }
            move(slot, from: conversation.placement, to: placement)
        }
    }

    private mutating func move(_ slot: Int, from old: Placement?, to new: Placement?) {
        queues.move(slot, from: old, to: new)
        deadlines.replace(old?.deadline, with: new?.deadline, for: .conversation(slot))
        if new?.isActionDue == true { withDueAction.append(slot) }
        roster.move(slot, from: old, to: new, &queues)
    }

    /// Agents who have just answered an old message get a pause. It is never longer than the settings say, even after a
    /// change of the clock.
    private mutating func pauseAfterBacklog(_ entry: QueueEntry, _ now: Timestamp) {
        let capacity = matcher.rules.settings.capacity
        guard let agent = entry.agents.assignee, let until = capacity.pauseUntil(entry), now < until else { return }
        let longest = Int64(capacity.backlogPauseSeconds) * 1000 + Self.toleranceMs
        guard until <= now.adding(milliseconds: longest) else { return }
        roster.pause(roster.addSlot(for: agent), until: until, &queues, &deadlines)
    }

    /// The agent came online or no longer is: they may be asked what all others refused, and new conversations may move
    /// to or from a fallback skill.
    private mutating func countOnline(_ agent: Int, _ now: Timestamp) {
        let (id, isOnline) = (roster[agent].id, roster[agent].isOnline)
        for queue in roster[agent].skills {
            queues.countOnline(isOnline, in: queue)
            if isOnline { resumeAsking(in: queue, for: id, now) }
            if !isOnline, queues[queue].online == 0 { place(queues[queue].newConversations, now) }
            guard isOnline, queues[queue].online == 1 else { continue }
            for other in queues.withoutAgents(fallingBackTo: queue) { place(queues[other].newConversations, now) }
        }
    }

    private mutating func resumeAsking(in queue: Int, for agent: AgentID, _ now: Timestamp) {
        let slots = queues[queue].pausedConversations.filter { conversations[$0]?.asked.contains(agent) == false }
        for slot in slots { conversations.update(slot) { $0.resumeAsking() } }
        place(slots, now)
    }

    /// Looks at everything whose moment has come.
    private mutating func passDeadlines(_ now: Timestamp) {
        while let subject = deadlines.takeFirst(until: now) {
            switch subject {
            case .agent(let slot): roster.endPause(of: slot, &queues)
            case .conversation(let slot):
                conversations.update(slot) { $0.passDeadline(now: now) }
                place([slot], now)
            }
        }
    }

    /// The clock was set back: what was to end in some seconds would now end much later. Ends all pauses, and with them
    /// offers that would last too long.
    private mutating func clearPausesAfterClockChange(_ now: Timestamp) {
        for slot in deadlines.agents {
            deadlines.replace(roster[slot].pausedUntil, with: nil, for: .agent(slot))
            roster.endPause(of: slot, &queues)
        }
        for slot in conversations.usedSlots {
            conversations.update(slot) { $0.clearPauses() }
            place([slot], now)
        }
    }
}

// MARK: - Proposing actions

extension RoutingEngine {
    private mutating func proposeDueActions(_ now: Timestamp) -> [ProposedAction] {
        var actions: [ProposedAction] = []
        for slot in withDueAction {
            guard let conversation = conversations[slot], conversation.mayPropose else { continue }
            // An agent may have come since it was placed: then nothing has to happen, and it waits like all others.
            if let action = matcher.dueAction(for: conversation, roster, queues, now) {
                conversations.update(slot) { $0.propose(.other) }
                actions.append(ProposedAction(conversation.entry.conversation, action))
            }
            place([slot], now)
        }
        withDueAction.removeAll(keepingCapacity: true)
        return actions
    }

    /// Reserved conversations go before all others, because a person chose the agent.
    private mutating func matchReservations(_ now: Timestamp) -> [ProposedAction] {
        var actions: [ProposedAction] = []
        for agent in roster.takeReservationsToMatch() {
            roster.beginMatchingReservations(of: agent)
            var after: Rank?
            while let rank = roster[agent].firstReserved(after: after) {
                after = rank
                guard let conversation = conversations[rank.slot],
                    matcher.hasRoom(roster[agent], for: conversation, now)
                else { continue }
                actions.append(propose(rank.slot, Matcher.Choice(agents: [agent], reason: .reserved), now))
            }
        }
        return actions
    }

    /// The best first conversation of all changed queues goes first, until no agent has room for any.
    private mutating func matchQueues(_ now: Timestamp) -> [ProposedAction] {
        var actions: [ProposedAction] = []
        var heads = queues.takeUnmatched().map { QueueHead(queue: $0) }
        for index in heads.indices { advance(&heads[index], now) }
        while let best = heads.indices.filter({ heads[$0].rank != nil }).min(by: { heads[$0].isBefore(heads[$1]) }),
            let rank = heads[best].rank
        {
            if let action = match(rank.slot, now) { actions.append(action) } else { heads[best].passed = rank }
            advance(&heads[best], now)
        }
        return actions
    }

    /// How far one queue has been searched.
    private struct QueueHead {
        let queue: Int
        /// This conversation was not matched, and none before it.
        var passed: Rank?
        /// The first conversation after it that may be matched.
        var rank: Rank?
        var worth: RankingRules.Worth?

        func isBefore(_ other: QueueHead) -> Bool {
            guard let worth, let otherWorth = other.worth else { return worth != nil }
            if worth.tier != otherWorth.tier { return worth.tier < otherWorth.tier }
            return worth.points != otherWorth.points ? worth.points > otherWorth.points : queue < other.queue
        }
    }

    private func advance(_ head: inout QueueHead, _ now: Timestamp) {
        head.rank = queues[head.queue].firstMatchable(after: head.passed)
        guard let rank = head.rank, let conversation = conversations[rank.slot] else { return }
        head.worth = matcher.rules.worth(of: conversation, in: queues[head.queue].skill, now)
    }

    private mutating func match(_ slot: Int, _ now: Timestamp) -> ProposedAction? {
        guard let conversation = conversations[slot] else { return nil }
        if let choice = matcher.choice(for: conversation, roster, queues, now) { return propose(slot, choice, now) }
        if matcher.haveAllBeenAsked(conversation, roster, queues) {
            let offerMs = queues[conversation.queue].offerMs
            conversations.update(slot) { $0.pauseAsking(offerMs: offerMs, now: now) }
            place([slot], now)
        }
        return nil
    }

    private mutating func propose(_ slot: Int, _ choice: Matcher.Choice, _ now: Timestamp) -> ProposedAction {
        guard let conversation = conversations[slot], let first = choice.agents.first else {
            preconditionFailure("an open conversation is proposed to at least one agent")
        }
        for agent in choice.agents { roster.warmUp(agent, now: now, &queues, &deadlines) }
        let id = conversation.entry.conversation
        guard queues[conversation.queue].skill.accept == .auto else {
            let until = now.adding(milliseconds: queues[conversation.queue].offerMs)
            conversations.update(slot) { $0.propose(.offer(choice.agents)) }
            place([slot], now)
            let agents = choice.agents.map { roster[$0].id }
            return ProposedAction(id, .offer(to: agents, until: until, reason: choice.reason))
        }
        conversations.update(slot) { $0.propose(.assign(first)) }
        roster.noteProposed(to: first, at: now)
        place([slot], now)
        return ProposedAction(id, .assign(roster[first].id, reason: choice.reason))
    }
}

// MARK: - Queries

extension RoutingEngine {
    /// The position in the queue of its skill, from 1; `nil`: it has an agent, or is not open.
    public func position(of conversation: ConversationID) -> Int? {
        guard let conversation = conversations[conversation], let rank = conversation.placement?.rank else {
            return nil
        }
        return queues[conversation.queue].position(of: rank)
    }

    /// When its consumer should have an answer; `nil`: it waits for the consumer, or is not open.
    public func due(of conversation: ConversationID) -> Timestamp? { conversations[conversation]?.due }

    /// What routing knows about an open conversation; `nil`: it is not open.
    public func entry(of conversation: ConversationID) -> QueueEntry? { conversations[conversation]?.entry }

    /// Whether somebody who may answer is online: with this skill, or with one that its conversations fall back to.
    public func isAnybodyOnline(for skill: SkillID) -> Bool {
        var (queue, seen): (Int?, Set<Int>) = (queues.index(of: skill), [])
        while let index = queue, seen.insert(index).inserted {
            if queues[index].online > 0 { return true }
            queue = queues[index].skill.fallback.map { queues.index(of: $0) }
        }
        return false
    }

    /// How many conversations wait for an agent with this skill.
    public func waiting(_ skill: SkillID) -> Int { queues[queues.index(of: skill)].waitingCount }

    /// The figures of every queue.
    public func counts(now: Timestamp) -> [SkillID: QueueCount] { queues.counts(now: now) }

    /// How much an agent has to do.
    public func load(of agent: AgentID, now: Timestamp) -> AgentLoad {
        roster[agent].map { load(of: $0, now) } ?? AgentLoad(load: 0, capacity: 0, conversations: 0, offers: 0)
    }

    private func load(of agent: RosterAgent, _ now: Timestamp) -> AgentLoad {
        let capacity = matcher.rules.settings.capacity
        let assigned = agent.assignedSlots.reduce(0) { sum, slot in
            guard let entry = conversations[slot]?.entry else { return sum }
            return sum + capacity.load(of: entry, listenSpeed: agent.seat?.listenSpeed, now: now).thousandths
        }
        let offered = agent.offeredSlots.reduce(0) { sum, slot in
            sum + (conversations[slot].map { matcher.rules.offeredLoad(of: $0.entry, to: agent) } ?? 0)
        }
        let load = agent.inCall ? max(agent.capacity, assigned + offered) : assigned + offered
        return AgentLoad(
            load: load, capacity: agent.capacity, conversations: agent.assignedSlots.count,
            offers: agent.offeredSlots.count, offeredLoad: offered)
    }

    /// Why a conversation has its position, and for every agent with its skill why they would or would not get it.
    /// Looks at all of them: for a page, not for routing.
    public func explain(_ conversation: ConversationID, now: Timestamp) -> Explanation? {
        guard let slot = conversations.slot(of: conversation), let tracked = conversations[slot] else { return nil }
        let explainer = MatchExplainer(matcher: matcher, conversation: tracked, slot: slot, roster: roster)
        let candidates = explainer.candidates(now: now).map { agent, obstacle in
            let load = load(of: roster[agent], now)
            return Explanation.Candidate(
                agent: roster[agent].id, obstacle: obstacle, load: load.load, capacity: load.capacity)
        }
        return Explanation(
            position: position(of: conversation), due: tracked.due,
            score: matcher.rules.score(of: tracked, in: queues[tracked.queue].skill, now), agents: candidates)
    }
}
