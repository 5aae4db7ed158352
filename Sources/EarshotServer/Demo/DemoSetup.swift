import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import Logging
import ServiceLifecycle

/// Prepares the demo brand's settings, conversations and people before routing starts, and plays the busy demo.
struct DemoSetup: Service {
    let mode: DemoDay.Mode?
    let store: SQLiteStore
    let core: CoreServices
    let environment: SystemEnvironment
    let voices: String
    let logger: Logger

    /// The agents that the person who tries the demo can sign in as. They are not played.
    private static let free = ["dana", "mira"]
    /// The presence of the other agents in the quiet demo.
    private static let presences: [String: Presence] = [
        "omar": .init(state: .occupied, since: .zero), "lea": .init(state: .away, reason: "Lunch", since: .zero),
        "noah": .init(state: .occupied, since: .zero),
        "ines": .init(state: .occupied, since: .zero), "kenji": .init(state: .away, reason: "Break", since: .zero),
    ]

    /// Writes the demo's conversations and settings if they do not exist. Runs before routing starts, which then loads
    /// them like any others.
    func prepare() async throws {
        guard mode != nil else { return }
        let people = try await people()
        do {
            if try await core.contactCentre.centre(of: DemoBrand.account).version == 1 { try await write(people) }
        } catch let rejection as Rejection {
            // A manager changed the settings in the meantime; theirs stay.
            logger.warning("The demo's data is incomplete.", metadata: ["reason": "\(rejection.text)"])
        }
        for (name, agent) in people {
            let played = mode == .busy && !Self.free.contains(name)
            let chosen =
                played
                ? Presence(state: .online, since: .zero)
                : Self.presences[name] ?? Presence(state: .online, since: .zero)
            try await store.contactCentre.save(
                Presence(state: chosen.state, reason: chosen.reason, since: environment.now()), of: agent.id,
                in: DemoBrand.account)
            if !Self.free.contains(name) { core.routing.connected(agent.id, of: DemoBrand.account) }
        }
    }

    private func write(_ people: [String: Agent]) async throws {
        var wanted = DemoContactCentre.centre(people.mapValues(\.id))
        let writer = DemoDayWriter(
            store: store, media: core.media, environment: environment, centre: wanted, people: people, voices: voices,
            began: environment.now())
        try await writer.write()
        if let last = wanted.canned.indices.last {
            wanted.canned[last].clip = try await writer.clip("goodbye", by: "mira")
        }
        // In an order in which every section only refers to sections that exist already.
        for section in [
            ContactCentreSettings.Section.hours, .skills, .people, .rules, .silence, .automatic, .canned, .wrapUp,
            .survey,
        ] {
            _ = try await core.contactCentre.put(section, wanted.encoded(section), of: DemoBrand.account)
        }
    }

    func run() async throws {
        guard mode == .busy else { return await waitForShutdown() }
        let people = try await people().filter { !Self.free.contains($0.key) }
        try await DemoTraffic(
            core: core, inbox: store.log, environment: environment, people: Array(people.values), logger: logger
        ).run()
    }

    /// Waits, because the server ends when any of its services ends.
    private func waitForShutdown() async {
        await cancelWhenGracefulShutdown { while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) } }
    }

    /// The demo's people, by the part of their address before the `@`.
    private func people() async throws -> [String: Agent] {
        Dictionary(
            try await store.accounts.agents(of: DemoBrand.account).map { (String($0.email.prefix { $0 != "@" }), $0) }
        ) {
            first, _ in first
        }
    }
}

extension Timestamp {
    fileprivate static let zero = Timestamp(milliseconds: 0)
}
