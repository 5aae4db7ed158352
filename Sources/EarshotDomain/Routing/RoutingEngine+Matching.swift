import EarshotModel

extension RoutingEngine {
    /// What waits for one agent only goes before anything else: somebody chose that agent.
    mutating func matchReserved(_ now: Timestamp) -> [Move] {
        var moves: [Move] = []
        for agent in hopeful.sorted() {
            agents[agent].isHopeful = false
            var after: Rank?
            while let rank = agents[agent].reserved.first(atLeast: -agents[agent].room, after: after) {
                after = rank
                guard let entry = entries[rank.slot], fits(entry, agent, now) else { continue }
                moves.append(propose(rank.slot, to: [agent], why: .reserved, now))
            }
        }
        hopeful.removeAll(keepingCapacity: true)
        return moves
    }

    /// The best head of all queues in which something changed goes first, until nobody has room for any.
    mutating func matchQueues(_ now: Timestamp) -> [Move] {
        var moves: [Move] = []
        var heads = queues.indices.filter { queues[$0].isHopeful }.map { Head(queue: $0) }
        for head in heads { queues[head.queue].isHopeful = false }
        for index in heads.indices { advance(&heads[index], now) }
        while let best = heads.indices.filter({ heads[$0].rank != nil }).min(by: { heads[$0].isBefore(heads[$1]) }),
            let rank = heads[best].rank
        {
            if let move = match(rank.slot, now) { moves.append(move) } else { heads[best].passed = rank }
            advance(&heads[best], now)
        }
        return moves
    }

    /// How far one queue has been looked through.
    private struct Head {
        let queue: Int
        /// Nobody took this one, and none before it.
        var passed: Rank?
        var rank: Rank?
        var worth: (standing: Int64, points: Int64) = (.max, 0)

        func isBefore(_ other: Head) -> Bool {
            if worth.standing != other.worth.standing { return worth.standing < other.worth.standing }
            return worth.points != other.worth.points ? worth.points > other.worth.points : queue < other.queue
        }
    }

    private func advance(_ head: inout Head, _ now: Timestamp) {
        let most = queues[head.queue].able.most
        head.rank = most > 0 ? queues[head.queue].waiting.first(atLeast: -most, after: head.passed) : nil
        if let rank = head.rank { head.worth = worth(of: rank.slot, now) }
    }

    private mutating func match(_ slot: Int, _ now: Timestamp) -> Move? {
        guard let entry = entries[slot] else { return nil }
        if let choice = choice(for: entry, now) { return propose(slot, to: choice.agents, why: choice.why, now) }
        if haveAllBeenAsked(entry) { rest(slot, now) }
        return nil
    }

    /// Who is asked: all who can, or one.
    func choice(for entry: Entry, _ now: Timestamp) -> (agents: [Int], why: Move.Reason)? {
        let able = queues[entry.queue].able
        let limit = queues[entry.queue].skill.accept == .offerToAll ? Self.offersAtOnce : 1
        if limit == 1, let previous = entry.ticket.previous.flatMap({ agentSlots[$0] }), isAble(previous, entry, now) {
            return ([previous], .previousAgent)
        }
        let least = leastNeed(of: entry, now)
        var (chosen, after): ([Int], Rank?) = ([], nil)
        while chosen.count < limit, let rank = able.first(atLeast: least, after: after) {
            after = rank
            if isAble(rank.slot, entry, now) { chosen.append(rank.slot) }
        }
        return chosen.isEmpty ? nil : (chosen, limit == 1 ? .leastLoaded : .everyone)
    }

    private func isAble(_ agent: Int, _ entry: Entry, _ now: Timestamp) -> Bool {
        agents[agent].rank != nil && agents[agent].skills.contains(entry.queue)
            && !entry.asked.contains(agents[agent].id) && fits(entry, agent, now)
    }

    func fits(_ entry: Entry, _ agent: Int, _ now: Timestamp) -> Bool {
        agents[agent].room >= need(of: entry, agent, now)
    }

    private func haveAllBeenAsked(_ entry: Entry) -> Bool {
        let asked = entry.asked.filter { agent in
            agentSlots[agent].map { agents[$0].isOnline && agents[$0].skills.contains(entry.queue) } ?? false
        }
        return !asked.isEmpty && asked.count == queues[entry.queue].online
    }

    private mutating func rest(_ slot: Int, _ now: Timestamp) {
        guard let entry = entries[slot] else { return }
        let offerMs = Int64(max(1, queues[entry.queue].skill.offerSeconds)) * 1000
        entries[slot]?.restsUntil = now.adding(milliseconds: min(Self.longestRestMs, offerMs << min(entry.rounds, 10)))
        refile([slot], now)
    }

    private mutating func propose(_ slot: Int, to chosen: [Int], why: Move.Reason, _ now: Timestamp) -> Move {
        guard let entry = entries[slot], let first = chosen.first else {
            preconditionFailure("only what waits is proposed, to somebody")
        }
        let skill = queues[entry.queue].skill
        for agent in chosen { warmUp(agent, now) }
        guard skill.accept == .auto else {
            entries[slot]?.proposal = .offer(chosen)
            refile([slot], now)
            let until = now.adding(milliseconds: Int64(max(1, skill.offerSeconds)) * 1000)
            return .offer(entry.ticket.conversation, to: chosen.map { agents[$0].id }, until: until, why: why)
        }
        entries[slot]?.proposal = .assign(first)
        agents[first].lastAssigned = now.milliseconds
        refile([slot], now)
        return .assign(entry.ticket.conversation, agents[first].id, why: why)
    }
}
