import EarshotModel

/// What the contact centre's events do to the state.
extension ConversationState {
    mutating func began(_ at: Timestamp) {
        status = .waiting
        (moments.started, moments.queued) = (at, at)
    }

    mutating func wentOn(_ at: Timestamp, by: ParticipantNumber) {
        (status, since) = (.waiting, at)
        (moments.resumed, moments.queued, moments.assigned) = (at, at, nil)
        (care.isAnswered, care.disposition, care.survey, care.transfers, care.queuedWhy) = (false, nil, nil, 0, nil)
        care.wasResumedByBrand = by.isBrand
    }

    mutating func came(_ event: Event, _ joined: Event.Joined) {
        people.removeAll { $0.by == event.by }
        people.append(Participant(by: event.by, role: joined.role, name: joined.name, id: joined.id, quiet: joined.quiet == true))
        people.sort { $0.by < $1.by }
        guard joined.role == .manager, joined.quiet != true else { return }
        moments.managerJoined = event.at
        if !care.here.contains(event.by) { care.here.append(event.by) }
    }

    mutating func given(to number: ParticipantNumber, at: Timestamp) {
        (status, assignee) = (.open, number)
        moments.assigned = at
        (care.ring, care.reserved, care.refused) = (nil, nil, [])
        care.previous = person(number)?.id
        // A manager who takes it has not joined beside somebody.
        if care.here.contains(number) {
            care.here.removeAll { $0 == number }
            if moments.managerJoined == at { moments.managerJoined = nil }
        }
    }

    mutating func ended(_ at: Timestamp, _ closed: Event.Closed) {
        (status, assignee, since, unanswered) = (.closed, nil, at, [])
        (moments.closed, moments.assigned) = (at, nil)
        (care.ring, care.reserved, care.refused, care.promise, care.here) = (nil, nil, [], nil, [])
        (care.closedWhy, care.closedQuietly) = (closed.why, closed.quiet == true)
    }

    /// The brand said something: whoever promised to be back is back.
    mutating func answered(at: Timestamp) {
        moments.answeredAgeMs = unansweredSince.map { at.milliseconds - $0.milliseconds } ?? 0
        moments.answered = at
        if !care.isAnswered { care.isAnswered = true }
        if care.promise != nil { care.promise = nil }
    }

    mutating func apply(_ work: Work, by: ParticipantNumber, at: Timestamp) {
        switch work {
        case .queued(let queued): apply(queued, at: at)
        case .offered(let offered): care.ring = offered
        case .declined(let declined): apply(declined)
        case .note(let note): for agent in note.mentions where !care.mentioned.contains(agent) { care.mentioned.append(agent) }
        case .noticed(let noticed): care.mentioned.removeAll { $0 == noticed.agent }
        case .promised(let promised): care.promise = promised.until.map { Care.Promise(madeAt: at, until: $0) }
        case .tagged(let tagged): care.tags = tagged.tags
        case .attribute(let attribute): care.attributes[attribute.name] = attribute.value
        case .disposed(let disposed): care.disposition = disposed.id
        case .urgent(let urgent): (care.isUrgent, moments.urgent) = (urgent.on, at)
        case .automatic(let automatic): care.said[automatic.on.rawValue] = at
        case .left:
            care.here.removeAll { $0 == by }
            moments.managerLeft = at
        case .surveyed(let surveyed): (care.survey, moments.surveyed) = (surveyed, at)
        case .rated(let rated): (care.csat, care.nps) = (rated.csat ?? care.csat, rated.nps ?? care.nps)
        }
    }

    private mutating func apply(_ queued: Work.Queued, at: Timestamp) {
        let before = assignee.flatMap { person($0)?.id }
        if queued.skill != care.skill { (care.skillBefore, moments.skillChanged) = (care.skill, at) }
        // Whom nobody asks again at once: it just was theirs, or they just did not take it.
        if queued.why == .transferred { care.refused = [] }
        for agent in [before, care.reserved?.agent].compactMap({ $0 }) where agent != queued.to && !care.refused.contains(agent) { care.refused.append(agent) }
        // Waiting goes on where nobody had it: only the queue changed.
        if before != nil || queued.why == .transferred { moments.queued = at }
        (status, assignee, moments.assigned, care.ring) = (.waiting, nil, nil, nil)
        (care.skill, care.queuedWhy) = (queued.skill, queued.why)
        care.reserved = if let agent = queued.to, let until = queued.until { Care.Reservation(agent: agent, until: until) } else { nil }
        if queued.why == .transferred { care.transfers += 1 }
    }

    private mutating func apply(_ declined: Work.Declined) {
        for agent in declined.agents where !care.refused.contains(agent) { care.refused.append(agent) }
        if let ring = care.ring {
            let left = ring.to.filter { !declined.agents.contains($0) }
            care.ring = left.isEmpty ? nil : Work.Offered(to: left, until: ring.until)
        }
        if let reserved = care.reserved, declined.agents.contains(reserved.agent) { care.reserved = nil }
    }
}
