import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import EarshotTestKit
import Foundation
import Testing

extension World {
    /// Everyone is connected, everything said is answered, everything on the lines has arrived.
    mutating func settle() async throws {
        for index in ends.indices where ends[index].session == nil { try await connect(index) }
        while ends.contains(where: { !$0.up.isEmpty || !$0.client.outbox.isEmpty }) {
            for index in ends.indices where ends[index].session == nil { try await connect(index) }
            try await serve()
            for index in ends.indices { try arrive(index, count: .max) }
        }
        // Marks are written with the next change of their conversation.
        for conversation in Self.conversations {
            try await StoreProbe(store, clock: clock, connecting: false).accept(
                .say("The end"), key: "end-\(said.count)", in: conversation)
        }
        for index in ends.indices where ends[index].session == nil { try await connect(index) }
        listen()
        repeat {
            for index in ends.indices {
                try await pump(index)
                try arrive(index, count: .max)
            }
        } while ends.contains { $0.session!.hasNews || !$0.down.isEmpty }
        try await pageBack()
    }

    /// Every client asks for what is older than its first event.
    mutating func pageBack() async throws {
        for index in ends.indices {
            for conversation in ends[index].watched {
                while ends[index].client[conversation.id].more {
                    let copy = ends[index].client[conversation.id]
                    let before = copy.events.first?.sequence ?? copy.through + 1
                    let page = try await ends[index].session!.page(
                        conversation.id, before: before, limit: Self.pageEvents)
                    ends[index].client.receive(try JSONDecoder().decode(ServerFrame.self, from: Data(page)))
                }
            }
        }
    }

    /// Every client's view == the server's view for its role == fold(events) == the state row; no gap; nothing lost,
    /// nothing twice.
    mutating func check() async throws {
        for identity in Self.conversations {
            let events = try await store.log.page(identity.id, before: .max, limit: .max - 1).map { try $0.decoded() }
            let view = try #require(try await store.log.view(identity.id, after: nil, limit: 5))
            #expect(events.map(\.sequence) == Array(1...events.count), "the log has no gap")
            #expect(
                ConversationState.fold(events, of: identity) == view.state, "the state row is what the events add up to"
            )
            let playback = try await store.log.played(identity.id, from: 0, through: .max)
            for end in ends where end.watched.contains(identity) {
                check(end.client, identity, events, view)
                check(end.client, identity, playback)
            }
            checkUnplayed(events, playback, view)
        }
        try await checkRows()
        checkAnswers(try await allTexts())
    }

    private mutating func check(
        _ client: ClientModel, _ identity: ConversationIdentity, _ events: [Event], _ view: ConversationView
    ) {
        let copy = client[identity.id]
        let visible = events.compactMap { event -> Event? in
            switch event.visible(to: client.viewer) {
            case .same: event
            case .instead(let other): other
            case .hidden: nil
            }
        }
        #expect(copy.events == visible, "\(client.name) has the events it may see")
        #expect(copy.through == view.state.sequence, "\(client.name) knows how far it is")
        // Who answers a consumer is the brand's business: to the queue and back is not told.
        let isNear = client.viewer == .consumer && Set([copy.status, view.state.status]) == [.waiting, .open]
        #expect(copy.status == view.state.status || isNear, "\(client.name) knows the status")
        if client.viewer == .consumer {
            #expect(!"\(copy)".contains(Self.secret), "\(client.name) has nothing private")
        }
        if client.viewer == .brand { privates += events.count { $0.visible(to: .consumer) == .hidden } }
        #expect(copy.people == view.state.people.visible(to: client.viewer), "\(client.name) knows who is there")
        #expect(copy.marks == view.marks.visible(to: client.viewer), "\(client.name) knows the marks")
    }

    /// Everyone knows how far everything was played that they may know of.
    private func check(_ client: ClientModel, _ identity: ConversationIdentity, _ playback: [MessagePlayback]) {
        let wanted = playback.flatMap { $0.visible(to: client.viewer) }
        let found = client[identity.id].playback.values.flatMap(\.values)
        #expect(Set(found) == Set(wanted), "\(client.name) knows what was played")
    }

    /// The row's figure is what the events and the playback add up to.
    private func checkUnplayed(_ events: [Event], _ playback: [MessagePlayback], _ view: ConversationView) {
        let listened = Set(playback.filter { $0.listeners.contains { $0.by.isBrand && $0.isListened } }.map(\.sequence))
        let unplayed = events.reduce(0) { sum, event in
            guard case .audio(let audio) = event.kind, event.by.isConsumer, !listened.contains(event.sequence) else {
                return sum
            }
            return sum + audio.durationMs
        }
        #expect(view.marks.unplayed.milliseconds == unplayed, "what nobody listened to adds up")
    }

    private func checkRows() async throws {
        let inbox = try await store.log.inbox(account, after: nil)
        for end in ends where end.client.viewer == .brand {
            #expect(
                end.client.rows.values.sorted { $0.position < $1.position } == inbox.rows,
                "\(end.client.name) has every row")
            #expect(end.client.position == inbox.position, "\(end.client.name) knows the feed's position")
        }
    }

    /// What was accepted stands in the log once, at the number that its sender was told.
    private func checkAnswers(_ kinds: [ConversationID: [Int: Event.Kind]]) {
        for end in ends {
            for (key, sequence) in end.client.accepted {
                guard let unanswered = said[key], case .send(let message) = unanswered.command else { continue }
                let found = kinds[unanswered.conversation, default: [:]].filter { $0.value == message.kind }
                #expect(Array(found.keys) == [sequence], "\(key) stands in the log once")
            }
            // A copy of it on the line may have been accepted later, behind an answer that was lost: then it is there
            // as any other event, once.
            for refused in end.client.refused.values {
                guard case .send(let message) = refused.command else { continue }
                let found = kinds[refused.conversation, default: [:]].values.count { $0 == message.kind }
                #expect(found <= 1, "\(refused.key) stands in the log once at most")
            }
        }
    }

    private func allTexts() async throws -> [ConversationID: [Int: Event.Kind]] {
        var kinds: [ConversationID: [Int: Event.Kind]] = [:]
        for identity in Self.conversations {
            for stored in try await store.log.page(identity.id, before: .max, limit: .max - 1) {
                kinds[identity.id, default: [:]][stored.sequence] = try stored.decoded().kind
            }
        }
        return kinds
    }
}

extension Command.Message {
    fileprivate var kind: Event.Kind {
        switch self {
        case .text(let text): .text(text)
        case .audio(let audio): .audio(audio)
        }
    }
}
