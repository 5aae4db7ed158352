import EarshotModel

/// How the contact centre's events change the state.
extension ConversationState {
    mutating func began(_ at: Timestamp) {
        status = .waiting
        (timestamps.started, timestamps.queued) = (at, at)
    }

    mutating func wentOn(_ at: Timestamp, by: ParticipantNumber) {
        status = .waiting
        if unanswered.isEmpty { since = at }
        (timestamps.resumed, timestamps.queued, timestamps.assigned) = (at, at, nil)
        (routing.isAnswered, routing.disposition, routing.survey, routing.transfers, routing.queuedWhy) = (
            false, nil, nil, 0, nil
        )
        routing.wasResumedByBrand = by.isBrand
        routing.keep(nil)
    }

    mutating func came(_ event: Event, _ joined: Event.Joined) {
        people.removeAll { $0.by == event.by }
        people.append(
            Participant(by: event.by, role: joined.role, name: joined.name, id: joined.id, quiet: joined.quiet == true))
        people.sort { $0.by < $1.by }
        guard joined.quiet != true, !routing.here.contains(event.by) else { return }
        // Who is assigned at once takes no part beside the agent: `given(to:at:)` takes this back.
        if routing.here.isEmpty { timestamps.managerJoined = event.at }
        routing.here.append(event.by)
    }

    mutating func given(to number: ParticipantNumber, at: Timestamp) {
        (status, assignee) = (.open, number)
        timestamps.assigned = at
        (routing.offer, routing.reserved, routing.refused) = (nil, nil, [])
        routing.previous = person(number)?.id
        // Who takes it is its agent and no longer an additional participant.
        if routing.here.contains(number) {
            routing.here.removeAll { $0 == number }
            if timestamps.managerJoined == at { timestamps.managerJoined = nil }
        }
    }

    mutating func ended(_ at: Timestamp, _ closed: Event.Closed, by: ParticipantNumber) {
        routing.keep(by.isBrand ? Closing(self, by: by) : nil)
        (status, assignee, since, unanswered) = (.closed, nil, at, [])
        (timestamps.closed, timestamps.assigned) = (at, nil)
        (routing.offer, routing.reserved, routing.refused, routing.callback, routing.here) = (nil, nil, [], nil, [])
        (routing.closedWhy, routing.closedQuietly) = (closed.why, closed.quiet == true)
        routing.want(nil)
    }

    /// A message of the consumer waits for an answer.
    mutating func wait(for number: Int, since at: Timestamp) {
        if unanswered.isEmpty { since = at }
        unanswered.append(number)
        if unanswered.count > Limits.unread { unanswered.removeFirst() }
    }

    /// The two talk: what waited for an answer is answered.
    private mutating func talked(at: Timestamp) {
        answered(at: at)
        (unanswered, since) = ([], at)
    }

    /// The brand wrote: this ends a callback.
    mutating func answered(at: Timestamp) {
        timestamps.answeredAgeMs = unansweredSince.map { at.milliseconds - $0.milliseconds } ?? 0
        timestamps.answered = at
        if !routing.isAnswered { routing.isAnswered = true }
        if routing.callback != nil { routing.callback = nil }
    }

    mutating func apply(_ kind: Event.Kind, by: ParticipantNumber, at: Timestamp) {
        switch kind {
        case .callInvited(let invitation): routing.invited(invitation, number: sequence, by: by)
        case .callAnswered(let answer):
            routing.answered(answer, at: at)
            talked(at: at)
        case .callEnded(let ending): routing.ended(ending)
        case .callRequested(let request):
            routing.want(request.kind)
            wait(for: sequence, since: at)
        case .queued(let queued): apply(queued, at: at)
        case .offered(let offered): routing.offer = offered
        case .declined(let declined): apply(declined)
        case .note(let note):
            if !note.mentions.isEmpty { routing.mention(note.mentions, by: person(by)?.id) }
        case .noticed(let noticed): routing.notice(noticed.agent)
        case .callback(let promised):
            routing.callback = promised.until.map { RoutingState.Callback(madeAt: at, until: $0) }
        case .tagged(let tagged): routing.tags = tagged.tags
        case .attribute(let attribute): routing.attributes[attribute.name] = attribute.value
        case .disposed(let disposed): routing.disposition = disposed.id
        case .urgent(let urgent): (routing.isUrgent, timestamps.urgent) = (urgent.on, at)
        case .automatic(let automatic): routing.said[automatic.on.rawValue] = at
        case .left:
            routing.here.removeAll { $0 == by }
            timestamps.managerLeft = at
        case .surveyed(let surveyed): (routing.survey, timestamps.surveyed) = (surveyed, at)
        case .rated(let rated):
            (routing.csat, routing.nps) = (rated.csat ?? routing.csat, rated.nps ?? routing.nps)
            routing.rateClosing()
        case .reopened: reopened()
        case .settled: settled(at: at)
        case .started, .text, .audio, .scanned, .joined, .assigned, .closed, .resumed, .unknown: break
        }
    }

    private mutating func apply(_ queued: Event.Queued, at: Timestamp) {
        let before = assignee.flatMap { person($0)?.id }
        if queued.skill != routing.skill { (routing.skillBefore, timestamps.skillChanged) = (routing.skill, at) }
        // These agents are not asked again at once: they just had it, or just did not take it.
        if queued.why == .transferred { routing.refused = [] }
        for agent in [before, routing.reserved?.agent].compactMap({ $0 })
        where agent != queued.to && !routing.refused.contains(agent) { routing.refused.append(agent) }
        // The waiting time goes on where it had no agent: only the queue changed.
        if before != nil || queued.why == .transferred { timestamps.queued = at }
        (status, assignee, timestamps.assigned, routing.offer) = (.waiting, nil, nil, nil)
        (routing.skill, routing.queuedWhy) = (queued.skill, queued.why)
        routing.reserved =
            if let agent = queued.to, let until = queued.until {
                RoutingState.Reservation(agent: agent, until: until)
            } else { nil }
        if queued.why == .transferred { routing.transfers += 1 }
    }

    private mutating func apply(_ declined: Event.Declined) {
        for agent in declined.agents where !routing.refused.contains(agent) { routing.refused.append(agent) }
        if let offer = routing.offer {
            let left = offer.to.filter { !declined.agents.contains($0) }
            routing.offer = left.isEmpty ? nil : Event.Offered(to: left, until: offer.until)
        }
        if let reserved = routing.reserved, declined.agents.contains(reserved.agent) { routing.reserved = nil }
    }
}
