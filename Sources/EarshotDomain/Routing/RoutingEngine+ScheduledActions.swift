import EarshotModel

extension RoutingEngine {
    /// Looks at everything whose moment has come.
    mutating func ring(_ now: Timestamp) {
        while let alarm = alarms.first, alarm.first <= now.milliseconds {
            alarms.remove(alarm)
            if alarm.second == 1 {
                (agents[alarm.slot].alarm, agents[alarm.slot].pausedUntil) = (nil, nil)
                reindex(alarm.slot)
            } else {
                entries[alarm.slot]?.filing?.alarm = nil
                if let until = entries[alarm.slot]?.restsUntil, until <= now { beginAnew(alarm.slot) }
                if let until = entries[alarm.slot]?.heldUntil, until <= now { entries[alarm.slot]?.heldUntil = nil }
                refile([alarm.slot], now)
            }
        }
    }

    /// What was to end so many seconds later would now end much later: rests and pauses are over, and a ring that has more than a ring's time left is.
    mutating func noticeClock(setBackTo now: Timestamp) {
        for alarm in alarms.all where alarm.second == 1 {
            alarms.remove(alarm)
            (agents[alarm.slot].alarm, agents[alarm.slot].pausedUntil) = (nil, nil)
            reindex(alarm.slot)
        }
        for slot in entries.indices where entries[slot] != nil {
            entries[slot]?.restsUntil = nil
            entries[slot]?.heldUntil = nil
            refile([slot], now)
        }
    }

    /// All have been asked, and it has rested: all may be asked again.
    private mutating func beginAnew(_ slot: Int) {
        entries[slot]?.restsUntil = nil
        entries[slot]?.asked = []
        entries[slot]?.rounds += 1
    }

    /// What should happen to conversations whoever is there.
    mutating func scheduledActions(_ now: Timestamp) -> [Move] {
        var moves: [Move] = []
        for slot in pending {
            guard let entry = entries[slot], entry.isIdle else { continue }
            // Since it was filed somebody may have come: then nothing has to happen, and it waits like all others.
            if let move = scheduledAction(of: entry, now) {
                entries[slot]?.proposal = .other
                moves.append(move)
            }
            refile([slot], now)
        }
        pending.removeAll(keepingCapacity: true)
        return moves
    }

    func scheduledAction(of entry: Entry, _ now: Timestamp) -> Move? {
        let ticket = entry.ticket
        if let agent = ticket.assignee {
            guard let slot = agentSlots[agent], let silence = silence(of: ticket, agents[slot]), silence.at <= now
            else { return nil }
            return .requeue(ticket.conversation, why: silence.why)
        }
        if let offer = ticket.offer {
            return isOver(offer, of: entry, now) || offer.to.allSatisfy(isGone) ? .lapse(ticket.conversation) : nil
        }
        if let reserved = ticket.reserved {
            if entry.asked.contains(reserved.agent) { return .release(ticket.conversation, why: .declined) }
            return reserved.until <= now || isSwitchedOff(reserved.agent)
                ? .release(ticket.conversation, why: .notTaken) : nil
        }
        return fallback(of: entry)
    }

    /// A ring that is to last longer than its skill's rings was begun before the clock was set back, or before rings were made shorter.
    private func isOver(_ offer: QueueEntry.Offer, of entry: Entry, _ now: Timestamp) -> Bool {
        let longest = Int64(max(1, queues[entry.queue].skill.offerSeconds)) * 1000 + Self.toleranceMs
        return offer.until <= now || offer.until > now.adding(milliseconds: longest)
    }

    /// Until when its agent may be silent, and what they are then.
    func silence(of ticket: QueueEntry, _ agent: Person) -> (at: Timestamp, why: Move.Reason)? {
        centre.silence.limit(of: ticket, agent.presence, centre.capacity, comesBack: !agent.isSwitchedOff)
    }

    private func isSwitchedOff(_ agent: AgentID) -> Bool { agentSlots[agent].map { agents[$0].isSwitchedOff } ?? false }

    private func isGone(_ agent: AgentID) -> Bool {
        guard let presence = agentSlots[agent].flatMap({ agents[$0].presence }) else { return false }
        return presence.state == .away || presence.state == .offline
    }

    /// A new conversation goes where somebody is, when nobody is where it should go.
    private func fallback(of entry: Entry) -> Move? {
        guard queues[entry.queue].online == 0, isNew(entry.ticket), let skill = queues[entry.queue].skill.fallback
        else { return nil }
        guard let other = queueOf[skill], other != entry.queue, queues[other].online > 0 else { return nil }
        return .fallback(entry.ticket.conversation, to: skill)
    }
}
