import EarshotModel

extension RoutingEngine {
    /// Queues and seats as the centre has them.
    mutating func build() {
        queues = centre.skills.map(Queue.init)
        if queues.isEmpty { queues = [Queue(centre.defaultSkill)] }
        for (index, queue) in queues.enumerated() { queueOf[queue.skill.id] = queueOf[queue.skill.id] ?? index }
        for seat in centre.people where agentSlots[seat.agent] == nil {
            let agent = slot(of: seat.agent)
            agents[agent].seat = seat
            agents[agent].skills = Set(seat.skills.compactMap { queueOf[$0] }).sorted()
            fastest = max(fastest, seat.listenSpeed ?? 100)
        }
    }

    /// A skill that is gone is taken for the default one.
    func queue(of skill: SkillID) -> Int { queueOf[skill] ?? queueOf[centre.defaultSkill.id] ?? 0 }

    /// The agent's number here; somebody unplayed of gets one.
    mutating func slot(of agent: AgentID) -> Int {
        if let slot = agentSlots[agent] { return slot }
        agents.append(Person(agent))
        agentSlots[agent] = agents.count - 1
        return agents.count - 1
    }

    /// Who has just answered an old message gets a breath; not for longer than that, whatever was done to the clock since.
    mutating func pauseAfterBacklog(_ ticket: QueueEntry, _ now: Timestamp) {
        guard let agent = ticket.assignee, let until = centre.capacity.pauseUntil(ticket), now < until else { return }
        let longest = Int64(centre.capacity.backlogPauseSeconds) * 1000 + Self.toleranceMs
        if until <= now.adding(milliseconds: longest) { pause(slot(of: agent), until: until) }
    }

    /// Who has just begun gets one thing after the other.
    mutating func warmUp(_ agent: Int, _ now: Timestamp) {
        guard let seconds = centre.capacity.warmUpSeconds, agents[agent].warmUpLeft > 0 else { return }
        agents[agent].warmUpLeft -= 1
        if agents[agent].warmUpLeft > 0 { pause(agent, until: now.adding(milliseconds: Int64(seconds) * 1000)) }
    }

    /// Gives nothing new to this agent for a moment.
    mutating func pause(_ agent: Int, until: Timestamp) {
        if let alarm = agents[agent].alarm {
            guard alarm.first < until.milliseconds else { return }
            alarms.remove(alarm)
        }
        let alarm = Rank(first: until.milliseconds, second: 1, slot: agent)
        (agents[agent].pausedUntil, agents[agent].alarm) = (until, alarm)
        alarms.insert(alarm)
        reindex(agent)
    }

    /// Who got something has waited less long than who did not.
    mutating func noteAssigned(to agent: Int, at moment: Timestamp) {
        guard agents[agent].lastAssigned < moment.milliseconds else { return }
        agents[agent].lastAssigned = moment.milliseconds
        reindex(agent)
    }

    /// Puts the agent where their load puts them among those who could take something.
    mutating func reindex(_ agent: Int) {
        let person = agents[agent]
        let room = room(of: person)
        let rank =
            person.isOnline && room > 0
            ? Rank(first: utilisation(of: person), second: person.lastAssigned, slot: agent) : nil
        guard room != person.room || rank != person.rank else { return }
        (agents[agent].room, agents[agent].rank) = (room, rank)
        for queue in person.skills {
            if let old = person.rank { queues[queue].able.remove(old) }
            if let rank { queues[queue].able.insert(rank, measure: room) }
            if rank != nil, person.rank == nil || room > person.room { queues[queue].isHopeful = true }
        }
        if room > person.room { hope(agent) }
    }

    /// They may have room for what waits for them alone.
    mutating func hope(_ agent: Int) {
        guard !agents[agent].isHopeful, agents[agent].reserved.count > 0 else { return }
        agents[agent].isHopeful = true
        hopeful.append(agent)
    }

    /// Thousandths that they could still take; 0: nothing. Who has nothing to do takes anything.
    func room(of person: Person) -> Int {
        let capacity = Self.capacity(of: person)
        guard person.isReachable, !person.inCall, person.pausedUntil == nil, capacity > 0 else { return 0 }
        return person.load == 0 ? Int.max : max(0, capacity + centre.capacity.slack - person.load)
    }

    /// In thousandths of a conversation. Who has no seat, and has something meant for them all the same, has the usual capacity.
    static func capacity(of person: Person) -> Int {
        (person.seat ?? Seat(agent: person.id, skills: [])).capacity * 1000
    }

    /// Thousandths of the capacity.
    private func utilisation(of person: Person) -> Int64 {
        Int64(person.load) * 1000 / Int64(max(1, Self.capacity(of: person)))
    }

    /// The agent came online, or is no longer: what all the others have refused may be asked of them, and what is new may have to go where somebody is.
    mutating func countOnline(_ agent: Int, _ now: Timestamp) {
        let isOnline = agents[agent].isOnline
        for queue in agents[agent].skills {
            queues[queue].online += isOnline ? 1 : -1
            if isOnline { wake(queue, for: agents[agent].id, now) }
            if !isOnline, queues[queue].online == 0 { refile(queues[queue].new.sorted(), now) }
            guard isOnline, queues[queue].online == 1 else { continue }
            // Only their slots are kept meanwhile: a queue held here would be copied with its first change.
            let left = queues.indices.filter {
                queues[$0].skill.fallback == queues[queue].skill.id && queues[$0].online == 0
            }
            for other in left { refile(queues[other].new.sorted(), now) }
        }
    }

    private mutating func wake(_ queue: Int, for agent: AgentID, _ now: Timestamp) {
        let slots = queues[queue].resting.sorted().filter { entries[$0].map { !$0.asked.contains(agent) } ?? false }
        for slot in slots { entries[slot]?.restsUntil = nil }
        refile(slots, now)
    }
}
