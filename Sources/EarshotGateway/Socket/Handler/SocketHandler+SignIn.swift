import EarshotCore
import EarshotDomain
import EarshotModel

/// Hello and the snapshot: the one start-up path, also of every recovery.
extension SocketHandler {
    func signIn(_ hello: ClientFrame.Hello) {
        do {
            switch hello {
            case .consumer(let token, let after, let epoch, let settings):
                settingsKnown = settings
                let consumer = try services.identity.consumer(token: token)
                owner = SocketOwner(consumer, by: services.identity, at: loop.now)
                signIn(consumer, after: epoch == services.store.epoch ? after : nil, isReturn: after != nil)
            case .agent(let ticket, let position, let epoch, let settings):
                settingsKnown = settings
                let redeemed = try services.identity.redeem(ticket: ticket)
                owner = SocketOwner(redeemed, by: services.identity, at: loop.now)
                signIn(redeemed, after: epoch == services.store.epoch ? position : nil)
            }
        } catch {
            end(.of(error), error)
        }
    }

    private func signIn(_ consumer: ConsumerCaller, after: Int?, isReturn: Bool) {
        let conversation = services.access.openOwn(consumer)
        let subscription = subscribe(conversation.id)
        if let after, let view = Snapshot(tail: services.store.tail(conversation.id, after: after), after: after),
            view.marks.playbackPosition == 0
        {
            return ready(subscription, conversation, view, isReturn: isReturn)
        }
        let store = services.store
        wait {
            try await Snapshot.read(conversation.id, after: after, from: store)
        } then: { handler, view in
            handler.ready(subscription, conversation, view, isReturn: isReturn)
        }
    }

    private func ready(
        _ subscription: Subscription, _ conversation: OpenConversation, _ snapshot: Snapshot?, isReturn: Bool
    ) {
        let snapshot = (snapshot ?? .empty).bounded(by: limits.deliveryBytes)
        session.signedIn(as: conversation.caller)
        loop.writer.clear()
        loop.writer.ready(
            snapshot.parts(for: .consumer), epoch: services.store.epoch, me: .consumer,
            fresh: isReturn && !snapshot.continuesCursor ? true : nil)
        writeFrame()
        begin(subscription, conversation, snapshot)
        checkSettings(of: conversation.caller)
        beginExpecting(isReturn: isReturn)
    }

    private func signIn(_ ticket: RedeemedTicket, after: Int64?) {
        let (store, identity, agent) = (services.store, services.identity, ticket.caller)
        let (conversations, routing) = (services.conversations, services.routing)
        wait {
            // First, so that whatever ends them from here on finds this socket.
            let confirmed = try await identity.confirm(ticket)
            try await conversations.prepare(for: .agent(agent))
            return (confirmed.expires, try await store.inbox(agent.account, after: after))
        } then: { handler, found in
            let (expires, inbox) = found
            handler.owner?.isGood(until: expires, by: identity, at: handler.loop.now)
            let rows = inbox.rows.map { routing.complete($0, of: agent.account) }
            handler.session.signedIn(as: .agent(agent))
            handler.loop.writer.clear()
            handler.loop.writer.inbox(
                rows, epoch: store.epoch, agent: agent.id, position: inbox.position, fresh: after == nil)
            handler.writeFrame()
            let feed = handler.loop.feed(of: agent.account, store: store, routing: routing)
            handler.feed = feed
            feed.join(handler, position: inbox.position)
            handler.checkSettings(of: .agent(agent))
            handler.arrived(agent)
        }
    }

    /// Whoever knows other settings than are in force is told. Changes from here on are told to everyone.
    private func checkSettings(of caller: Caller) {
        guard let known = settingsKnown else { return }
        let settings = services.settings
        loop.load {
            try await settings.settings(of: caller.account)
        } then: { result in
            if case .success(let settings) = result, settings.version != known { self.tell(settings) }
        }
    }

    /// Follows a conversation from its snapshot on.
    func begin(_ subscription: Subscription, _ conversation: OpenConversation, _ snapshot: Snapshot) {
        let marks = snapshot.marks.visible(to: conversation.viewer)
        subscription.begin(
            Follow(
                conversation, cursor: snapshot.through, marks: marks, playbackPosition: snapshot.marks.playbackPosition),
            isBehind: snapshot.through < snapshot.state?.sequence ?? 0)
    }

    func subscribe(_ conversation: ConversationID) -> Subscription {
        let subscription = Subscription(conversation, self)
        subscriptions.append(subscription)
        loop.follow(subscription)
        return subscription
    }

    func unsubscribe(_ conversation: ConversationID) {
        guard let index = subscriptions.firstIndex(where: { $0.id == conversation }) else { return }
        let subscription = subscriptions.remove(at: index)
        subscription.follow = nil
        loop.unfollow(subscription)
    }
}
