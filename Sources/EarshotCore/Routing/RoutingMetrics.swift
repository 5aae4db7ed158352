import EarshotDomain
import EarshotModel

/// What routing counts.
struct RoutingMetrics: Sendable {
    /// What became of an offer that routing wanted to make.
    enum OfferResult: String, MetricLabel {
        /// Agents were asked.
        case made
        /// The conversation changed first, so nobody was asked.
        case overtaken
        /// Nobody of those who were asked accepted in time.
        case expired
        /// The offer could not be stored. Routing tries again.
        case failed
    }

    let offers = LabelledCounter<OfferResult>(
        "earshot_offers_total", "Offers of conversations to agents, by result.", by: "result")
    let failures = Counter(
        "earshot_routing_failures_total", "Routing actions that could not be stored. Each is tried again.")

    /// Counts an action that the log took, refused or could not take.
    func count(_ action: RoutingAction, _ result: Result<Accepted, ChangeFailure>) {
        if case .failure(.failed) = result { failures.increment() }
        switch (action, result) {
        case (.offer, .success): offers.increment(.made)
        case (.offer, .failure(.refused)): offers.increment(.overtaken)
        case (.offer, .failure(.failed)): offers.increment(.failed)
        case (.expireOffer, .success): offers.increment(.expired)
        default: break
        }
    }
}

/// The queues of several skills or accounts together. Not by account or skill, because labels come from closed sets.
struct QueueTotals: Sendable {
    private(set) var waiting = 0
    private(set) var overdue = 0
    private(set) var oldest: Timestamp?
    private(set) var agentsOnline = 0

    init() {}

    init(_ queues: some Sequence<QueueCount>, agentsOnline: Int) {
        for queue in queues {
            waiting += queue.waiting
            overdue += queue.overdue
            oldest = [oldest, queue.oldest].compactMap { $0 }.min()
        }
        self.agentsOnline = agentsOnline
    }

    /// Adds the queues of another account.
    mutating func add(_ other: QueueTotals) {
        waiting += other.waiting
        overdue += other.overdue
        oldest = [oldest, other.oldest].compactMap { $0 }.min()
        agentsOnline += other.agentsOnline
    }
}

extension RouterState {
    /// The figures of all queues of this account.
    func queueTotals(now: Timestamp) -> QueueTotals {
        QueueTotals(
            engine.counts(now: now).values,
            agentsOnline: staff.active.count { $0.presence(at: now).state == .online })
    }
}

extension RoutingService {
    /// What routing reports to a monitoring system.
    public var metrics: [any Metric] {
        [
            ReadMetric("earshot_queue_waiting", "Conversations that wait for an agent.") { [self] in
                Double(queueTotals().waiting)
            },
            ReadMetric("earshot_queue_oldest_wait_seconds", "How long the first of them has waited; 0 if none waits.") {
                [self] in
                let oldest = queueTotals().oldest
                return oldest.map { max(0, Double(now.milliseconds - $0.milliseconds) / 1000) } ?? 0
            },
            ReadMetric(
                "earshot_conversations_overdue", "Open conversations whose consumer should have had an answer by now."
            ) { [self] in Double(queueTotals().overdue) },
            ReadMetric("earshot_agents_online", "Agents who take new conversations.") { [self] in
                Double(queueTotals().agentsOnline)
            },
            counts.offers, counts.failures,
        ]
    }

    private func queueTotals() -> QueueTotals {
        let now = now
        return all.reduce(into: QueueTotals()) { totals, router in
            if let account = router.read({ $0.queueTotals(now: now) }) { totals.add(account) }
        }
    }
}
