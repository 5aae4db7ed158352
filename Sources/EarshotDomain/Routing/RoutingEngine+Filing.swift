import EarshotModel

extension RoutingEngine {
    /// Looks at these again: as they are, at this moment.
    mutating func refile(_ slots: [Int], _ now: Timestamp) {
        for slot in slots {
            guard let entry = entries[slot] else { continue }
            pauseAfterBacklog(entry.ticket, now)
            let filing = filing(of: entry, slot, now)
            guard filing != entry.filing else { continue }
            entries[slot]?.filing = filing
            file(slot, from: entry.filing, to: filing)
        }
    }

    /// Takes an entry out of the lines where it stood, and puts it into those where it belongs.
    mutating func file(_ slot: Int, from old: Filing?, to new: Filing?) {
        if let old { unfile(slot, old, keeping: new) }
        if let new { file(slot, new, instead: old) }
        var touched: Set<Int> = []
        if old?.holds != new?.holds {
            for hold in old?.holds ?? [] {
                release(hold, slot)
                touched.insert(hold.agent)
            }
            for hold in new?.holds ?? [] {
                take(hold, slot)
                touched.insert(hold.agent)
            }
        }
        for agent in touched.sorted() { reindex(agent) }
    }

    private mutating func unfile(_ slot: Int, _ old: Filing, keeping new: Filing?) {
        if let rank = old.rank, !old.standsLike(new) {
            queues[old.queue].waiting.remove(rank)
            if let agent = old.meantFor { agents[agent].reserved.remove(rank) }
        }
        if let age = old.age, age != new?.age || old.queue != new?.queue { queues[old.queue].ages.remove(age) }
        if let due = old.due, due != new?.due || old.queue != new?.queue { queues[old.queue].dues.remove(due) }
        if let alarm = old.alarm, alarm != new?.alarm { alarms.remove(alarm) }
        queues[old.queue].unplayedMs -= old.unplayedMs
        if old.rank == nil { queues[old.queue].assigned -= 1 }
        if old.isNew { queues[old.queue].new.remove(slot) }
        if old.isResting { queues[old.queue].resting.remove(slot) }
    }

    private mutating func file(_ slot: Int, _ new: Filing, instead old: Filing?) {
        if let rank = new.rank, !new.standsLike(old) {
            queues[new.queue].waiting.insert(rank, measure: new.meantFor == nil ? new.measure : RankedTree.nothing)
            if let agent = new.meantFor { agents[agent].reserved.insert(rank, measure: new.measure) }
            if new.measure != RankedTree.nothing { hope(new) }
        }
        if let age = new.age, age != old?.age || old?.queue != new.queue { queues[new.queue].ages.insert(age) }
        if let due = new.due, due != old?.due || old?.queue != new.queue { queues[new.queue].dues.insert(due) }
        if let alarm = new.alarm, alarm != old?.alarm { alarms.insert(alarm) }
        queues[new.queue].unplayedMs += new.unplayedMs
        if new.rank == nil { queues[new.queue].assigned += 1 }
        if new.isNew { queues[new.queue].new.insert(slot) }
        if new.isResting { queues[new.queue].resting.insert(slot) }
        if new.isDue { pending.append(slot) }
    }

    /// Somebody may have room for it.
    private mutating func hope(_ filing: Filing) {
        guard let agent = filing.meantFor else {
            queues[filing.queue].isHopeful = true
            return
        }
        hope(agent)
    }

    private mutating func take(_ hold: Hold, _ slot: Int) {
        agents[hold.agent].load += hold.weight
        if hold.isTheirs { agents[hold.agent].theirs.insert(slot) } else { agents[hold.agent].ringing.insert(slot) }
    }

    private mutating func release(_ hold: Hold, _ slot: Int) {
        agents[hold.agent].load -= hold.weight
        if hold.isTheirs { agents[hold.agent].theirs.remove(slot) } else { agents[hold.agent].ringing.remove(slot) }
    }
}

extension RoutingEngine.Filing {
    fileprivate func standsLike(_ other: Self?) -> Bool {
        other.map { $0.queue == queue && $0.rank == rank && $0.measure == measure && $0.meantFor == meantFor } ?? false
    }
}
