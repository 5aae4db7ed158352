import EarshotModel

extension RoutingEngine {
    /// Where an entry belongs at this moment.
    mutating func filing(of entry: Entry, _ slot: Int, _ now: Timestamp) -> Filing {
        var filing = Filing(queue: entry.queue)
        filing.due = entry.due.map { Rank(first: $0.milliseconds, second: 0, slot: slot) }
        if let agent = entry.ticket.assignee.map({ self.slot(of: $0) }) {
            fileAssigned(entry, to: agent, slot, now, &filing)
        } else {
            fileWaiting(entry, slot, now, &filing)
        }
        return filing
    }

    private func fileAssigned(_ entry: Entry, to agent: Int, _ slot: Int, _ now: Timestamp, _ filing: inout Filing) {
        let weight = centre.capacity.weight(of: entry.ticket, listenSpeed: agents[agent].seat?.listenSpeed, now: now)
        if entry.proposal == nil { filing.holds = [Hold(agent: agent, weight: weight.thousandths, isTheirs: true)] }
        let silence = entry.isIdle ? self.silence(of: entry.ticket, agents[agent])?.at : nil
        filing.isDue = silence.map { $0 <= now } ?? false
        filing.alarm = alarm([weight.until, silence, entry.heldUntil], slot, now)
    }

    private mutating func fileWaiting(_ entry: Entry, _ slot: Int, _ now: Timestamp, _ filing: inout Filing) {
        let ticket = entry.ticket
        filing.rank = rank(of: entry, slot, now)
        filing.age = Rank(first: ticket.queuedAt.milliseconds, second: 0, slot: slot)
        filing.unplayedMs = ticket.unplayedMs
        filing.meantFor = ticket.reserved.map { self.slot(of: $0.agent) }
        filing.holds = asked(entry).map { Hold(agent: $0, weight: weight(ofOffered: entry, to: $0), isTheirs: false) }
        filing.isNew = isNew(ticket)
        filing.isResting = entry.restsUntil != nil
        filing.isDue = entry.isIdle && scheduledAction(of: entry, now) != nil
        let isFree = filing.holds.isEmpty && entry.isIdle && !filing.isDue
        if isFree, entry.restsUntil == nil, !isPutOff(ticket, now) { filing.measure = -leastNeed(of: entry, now) }
        filing.alarm = alarm(timestamps(of: entry), slot, now)
    }

    /// Whom it rings at, or is about to.
    private mutating func asked(_ entry: Entry) -> [Int] {
        switch entry.proposal {
        case .assign(let agent): [agent]
        case .offer(let agents): agents
        case .other: []
        case nil: (entry.ticket.offer?.to ?? []).map { slot(of: $0) }
        }
    }

    /// When a waiting conversation has to be looked at again.
    private func timestamps(of entry: Entry) -> [Timestamp?] {
        let ticket = entry.ticket
        // Once it is overdue it needs less room.
        let easier = ticket.unplayedMs > 0 ? entry.due : nil
        return [
            ticket.offer?.until, ticket.reserved?.until, entry.restsUntil, entry.heldUntil,
            centre.capacity.putOffUntil(ticket), easier,
        ]
    }

    private func alarm(_ timestamps: [Timestamp?], _ slot: Int, _ now: Timestamp) -> Rank? {
        timestamps.compactMap { $0 }.filter { now < $0 }.min().map {
            Rank(first: $0.milliseconds, second: 0, slot: slot)
        }
    }

    func isPutOff(_ ticket: QueueEntry, _ now: Timestamp) -> Bool {
        centre.capacity.putOffUntil(ticket).map { now < $0 } ?? false
    }

    /// Nobody of the brand has had anything to do with it yet.
    func isNew(_ ticket: QueueEntry) -> Bool {
        ticket.isFirst && ticket.assignee == nil && ticket.previous == nil && ticket.transfers == 0
            && ticket.reserved == nil && ticket.offer == nil
    }

    /// What this agent must have room for: an active conversation, and what is to be played. Once it is overdue it counts as one conversation, whatever is to be played:
    /// else lighter ones would pass it for ever.
    func need(of entry: Entry, _ agent: Int, _ now: Timestamp) -> Int {
        need(of: entry, speed: agents[agent].seat?.listenSpeed ?? 100, now)
    }

    /// What the fastest listener would need.
    func leastNeed(of entry: Entry, _ now: Timestamp) -> Int { need(of: entry, speed: fastest, now) }

    private func need(of entry: Entry, speed: Int, _ now: Timestamp) -> Int {
        if let due = entry.due, due <= now { return centre.capacity.active }
        return weight(ofOffered: entry, speed: speed)
    }

    /// What rings counts as if it were theirs and waited for their answer.
    func weight(ofOffered entry: Entry, to agent: Int) -> Int {
        weight(ofOffered: entry, speed: agents[agent].seat?.listenSpeed ?? 100)
    }

    private func weight(ofOffered entry: Entry, speed: Int) -> Int {
        centre.capacity.active + centre.capacity.listening(toMs: entry.ticket.unplayedMs, speed: speed)
    }
}

extension Silence {
    /// Until when the agent of this conversation may be silent, and what they are then. `nil`: for ever, or it waits for the consumer.
    ///
    /// Who is online has their time from the consumer's message, from when they got it, or from the end of what they promised. Who went away or offline has that state's
    /// time from when they went (so that a page loaded anew loses nothing), but never longer than somebody online; of a long promise they lose what is left shortly before
    /// its end, while somebody else can still keep it. Who does not come back keeps nothing, also where the brand never takes anything from who is offline.
    func limit(of ticket: QueueEntry, _ presence: Presence?, _ capacity: Capacity, comesBack: Bool = true) -> (
        at: Timestamp, why: Move.Reason
    )? {
        guard let presence, ticket.unansweredSince != nil || ticket.callback != nil else { return nil }
        let since = max(ticket.unansweredSince ?? ticket.queuedAt, ticket.assignedAt ?? ticket.queuedAt)
        let online = onlineSeconds.map {
            max(since, ticket.callback?.until ?? since).adding(milliseconds: Int64($0) * 1000)
        }
        let (seconds, why): (Int?, Move.Reason)
        switch presence.state {
        case .online, .occupied: return online.map { ($0, .silentOnline) }
        case .away: (seconds, why) = (awaySeconds, .silentAway)
        case .offline: (seconds, why) = (offlineSeconds ?? (comesBack ? nil : 0), .silentOffline)
        }
        guard let seconds else { return nil }
        let left = max(since, presence.since, capacity.putOffUntil(ticket) ?? ticket.callback?.until ?? since)
        let gone = left.adding(milliseconds: Int64(seconds) * 1000)
        return (online.map { min($0, gone) } ?? gone, why)
    }
}
