import EarshotCore
import EarshotDomain
import EarshotModel

/// Signs a connection in: from its hello to its `ready` frame. The one path of every start and every recovery.
struct SocketSignIn {
    private let connection: SocketConnection
    private let loop: SocketLoop
    /// The version of the brand's settings that the client has.
    private let settingsVersion: Int?

    init(_ connection: SocketConnection, loop: SocketLoop, settingsVersion: Int?) {
        self.connection = connection
        self.loop = loop
        self.settingsVersion = settingsVersion
    }

    func start(_ hello: ClientFrame.Hello) {
        let (identity, epoch) = (connection.services.identity, connection.services.store.epoch)
        do throws(Rejection) {
            switch hello {
            case .consumer(let token, let after, let clientEpoch, _):
                let consumer = try identity.consumer(token: token)
                try connection.identify(
                    as: SocketOwner(consumer, by: identity, at: connection.now), .consumer(consumer))
                checkPage(of: consumer) {
                    signIn(consumer, after: clientEpoch == epoch ? after : nil, isReturning: after != nil)
                }
            case .agent(let ticket, let position, let clientEpoch, _):
                guard connection.foreignOrigin == nil else { throw Rejection.foreignPage }
                let redeemed = try identity.redeem(ticket: ticket)
                try connection.identify(
                    as: SocketOwner(redeemed, by: identity, at: connection.now), .agent(redeemed.caller))
                signIn(redeemed, after: position, of: clientEpoch)
            }
        } catch {
            connection.end(.closeCode(for: error), error)
        }
    }

    // MARK: - Consumers

    /// Continues where the consumer's app allows the page that opened the socket.
    private func checkPage(of consumer: ConsumerCaller, then: @escaping () -> Void) {
        guard let origin = connection.foreignOrigin else { return then() }
        let identity = connection.services.identity
        connection.wait {
            try await identity.check(origin, of: consumer)
        } then: {
            then()
        }
    }

    private func signIn(_ consumer: ConsumerCaller, after: Int?, isReturning: Bool) {
        let services = connection.services
        let conversation = services.access.openOwn(consumer)
        let subscription = connection.conversations.subscribe(conversation.id)
        let showsAll = services.settings.showsAllHistory(of: consumer.account)
        if showsAll, let after,
            let view = Snapshot(tail: services.store.tail(conversation.id, after: after), after: after),
            view.marks.playbackPosition == 0, view.state.map({ consumer.owns($0.identity) }) ?? false
        {
            return sendReady(subscription, conversation, view, isReturning: isReturning)
        }
        connection.wait {
            guard let view = try await Snapshot.read(conversation.id, after: after, from: services.store) else {
                try await services.identity.confirm(consumer)
                return nil
            }
            guard view.state.map({ consumer.owns($0.identity) }) ?? true else { throw Rejection.notSignedIn }
            let begin = try await services.settings.historyBegins(in: view.state, of: consumer.account)
            return view.presented(from: begin)
        } then: { view in
            sendReady(subscription, conversation, view, isReturning: isReturning)
        }
    }

    private func sendReady(
        _ subscription: Subscription, _ conversation: OpenConversation, _ snapshot: Snapshot?, isReturning: Bool
    ) {
        let snapshot = (snapshot ?? .empty).bounded(by: connection.limits.deliveryBytes)
        let epoch = connection.services.store.epoch
        connection.signedIn(as: conversation.caller)
        connection.write {
            $0.ready(
                snapshot.parts(for: .consumer), epoch: epoch, me: .consumer,
                fresh: isReturning && !snapshot.continuesCursor ? true : nil)
        }
        subscription.start(conversation, from: snapshot)
        sendSettingsIfChanged(for: conversation.caller)
        guard case .consumer(let consumer) = conversation.caller else { return }
        let status = ConsumerStatusFeed(connection, consumer)
        connection.start(status)
        loop.trackStatus(of: consumer.account)
        status.send(isReturning: isReturning)
    }

    // MARK: - Agents

    private func signIn(_ ticket: RedeemedTicket, after: Int64?, of clientEpoch: String?) {
        let services = connection.services
        connection.wait {
            // Confirmed first: whatever ends the session from here on finds this connection.
            let confirmed = try await services.identity.confirm(ticket)
            let agent = confirmed.caller
            try await services.conversations.prepare(for: .agent(agent))
            // Who does not see everything loads the inbox again: rows may have left the scope meanwhile.
            let mayContinue = agent.scope == .everything && clientEpoch == services.store.epoch
            let inbox = try await services.store.inbox(agent.account, after: mayContinue ? after : nil)
            return (agent, confirmed.expires, inbox)
        } then: { agent, expires, inbox in
            connection.confirmOwner(until: expires)
            sendReady(agent, inbox)
        }
    }

    private func sendReady(_ agent: AgentCaller, _ inbox: Inbox) {
        let services = connection.services
        let rows = inbox.rows.filter {
            agent.scope.sees(ScopeFacts($0, people: inbox.people[$0.conversation] ?? .init()))
        }.map { services.routing.complete($0, of: agent.account) }
        connection.signedIn(as: .agent(agent))
        connection.write {
            $0.inbox(
                rows, epoch: agent.scope.epoch(of: services.store.epoch), agent: agent.id, position: inbox.position,
                fresh: !inbox.continuesPosition)
        }
        let feed = loop.inboxFeed(of: agent.account, store: services.store, routing: services.routing)
        let status = AgentStatusFeed(connection, agent)
        let subscriber = InboxSubscriber(connection, feed, agent.scope, shown: rows)
        connection.start(status, subscriber)
        subscriber.join(position: inbox.position)
        sendSettingsIfChanged(for: .agent(agent))
        loop.trackStatus(of: agent.account)
        status.start()
    }

    /// Sends the settings to a client that has another version. Later changes are sent to every connection.
    private func sendSettingsIfChanged(for caller: Caller) {
        guard let settingsVersion else { return }
        let (connection, settings) = (connection, connection.services.settings)
        connection.load {
            try await settings.settings(of: caller.account)
        } then: { result in
            if case .success(let settings) = result, settings.version != settingsVersion { connection.send(settings) }
        }
    }
}

extension ClientFrame.Hello {
    /// The version of the brand's settings that the client has.
    var settingsVersion: Int? {
        switch self {
        case .consumer(_, _, _, let settings), .agent(_, _, _, let settings): settings
        }
    }
}
