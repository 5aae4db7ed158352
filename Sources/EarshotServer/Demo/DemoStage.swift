import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import Logging
import ServiceLifecycle

/// Sets the demo's stage, once, and keeps its services taken: whoever tries the demo sees colleagues, and gets the work.
struct DemoStage: Service {
    let mode: DemoDay.Mode?
    let store: SQLiteStore
    let media: MediaService
    let centre: ContactCentreService
    let routing: RoutingService
    let conversations: ConversationService
    let identity: IdentityService
    let environment: SystemEnvironment
    let voices: String
    let logger: Logger

    /// Whose places are for whoever tries the demo.
    private static let free = ["dana", "mira"]
    /// What the others are while nobody plays them.
    private static let presences: [String: Presence] = [
        "omar": .init(state: .occupied, since: .zero), "lea": .init(state: .away, reason: "Lunch", since: .zero),
        "noah": .init(state: .occupied, since: .zero),
        "ines": .init(state: .occupied, since: .zero), "kenji": .init(state: .away, reason: "Break", since: .zero),
    ]

    /// Tells the day and sets the centre up, the first time. Before routing begins, so that it finds everything as it stands.
    func set() async throws {
        guard mode != nil else { return }
        let people = try await people()
        do {
            if try await centre.centre(of: DemoBrand.account).version == 1 { try await tell(people) }
        } catch let rejection as Rejection {
            // Somebody was quicker and changed the settings while they were being made: theirs stay.
            logger.warning("The demo's day is told in part only.", metadata: ["why": "\(rejection.text)"])
        }
        for (name, agent) in people {
            let played = mode == .busy && !Self.free.contains(name)
            let chosen =
                played
                ? Presence(state: .online, since: .zero)
                : Self.presences[name] ?? Presence(state: .online, since: .zero)
            try await store.save(
                Presence(state: chosen.state, reason: chosen.reason, since: environment.now()), of: agent.id,
                in: DemoBrand.account)
            if !Self.free.contains(name) { routing.connected(agent.id, of: DemoBrand.account) }
        }
    }

    private func tell(_ people: [String: Agent]) async throws {
        var wanted = DemoCentre.centre(people.mapValues(\.id))
        let teller = DemoTeller(
            store: store, media: media, environment: environment, centre: wanted, people: people, voices: voices,
            began: environment.now())
        try await teller.tell()
        if let last = wanted.canned.indices.last {
            wanted.canned[last].clip = try await teller.clip("goodbye", by: "mira")
        }
        // Hours before the skills that name them, skills before what names these.
        for section in [
            ContactCentreSettings.Section.hours, .skills, .people, .rules, .silence, .automatic, .canned, .wrapUp,
            .survey,
        ] {
            _ = try await centre.put(section, wanted.encoded(section), of: DemoBrand.account)
        }
    }

    func run() async throws {
        guard mode == .busy else { return await waitForShutdown() }
        let people = try await people().filter { !Self.free.contains($0.key) }
        try await DemoBusy(
            conversations: conversations, identity: identity, access: ConversationAccess(store: store), store: store,
            environment: environment,
            people: Array(people.values), logger: logger
        ).run()
    }

    /// A service that has nothing to do must not end: that would end the server.
    private func waitForShutdown() async {
        await cancelWhenGracefulShutdown { while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) } }
    }

    /// By the name before the `@` of their address.
    private func people() async throws -> [String: Agent] {
        Dictionary(try await store.agents(of: DemoBrand.account).map { (String($0.email.prefix { $0 != "@" }), $0) }) {
            first, _ in first
        }
    }
}

extension Timestamp {
    fileprivate static let zero = Timestamp(milliseconds: 0)
}
