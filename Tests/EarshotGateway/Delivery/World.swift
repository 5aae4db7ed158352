import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import EarshotTestKit
import Foundation
import Testing

/// Two consumers (one with two devices) and two agents around one store, over bad lines. Everything that happens is
/// decided by a seed.
struct World {
    /// One client, its line and the server's end of it. What is on the line when it is cut is lost.
    struct End {
        var client: ClientModel
        let watched: [ConversationIdentity]
        var session: ServerEnd?
        var up: [ClientModel.Unanswered] = []
        /// Frames as they are written.
        var down: [[UInt8]] = []
        /// Frames that arrived: any of them may arrive again.
        var delivered: [ServerFrame] = []
    }

    static let conversations = [ConversationIdentity.sample(1), .sample(2)]
    /// Events in a page of history.
    static let pageEvents = 12

    let database: WorldDatabase
    let clock = ManualClock()
    var store: SQLiteStore
    var listener = RecordingCommitListener()
    var played = 0
    var random: SeededGenerator
    var ends: [End]
    /// Said so far: what each key was for.
    var steps = 0
    /// Private events that the last check met.
    var privates = 0
    var said: [IdempotencyKey: ClientModel.Unanswered] = [:]

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        var options = SQLiteStore.Options()
        // Half of the worlds read the disk for nearly everything.
        options.tailBytes = Bool.random(using: &random) ? 1 : options.tailBytes
        database = try WorldDatabase(options: options)
        store = try database.open()
        store.log.connect(listener)
        ends = [
            Self.consumer("phone", of: Self.conversations[0]),
            Self.consumer("laptop", of: Self.conversations[0]),
            Self.consumer("other", of: Self.conversations[1]),
            End(client: ClientModel(name: "dana", actor: .dana), watched: Self.conversations),
            End(client: ClientModel(name: "mona", actor: .mona), watched: Self.conversations),
        ]
    }

    private static func consumer(_ name: String, of conversation: ConversationIdentity) -> End {
        End(client: ClientModel(name: name, actor: .consumer, own: conversation.id), watched: [conversation])
    }

    var account: AccountID { Self.conversations[0].account }

    /// Who a client is to the server.
    private func caller(_ end: End) -> Caller {
        switch end.client.actor {
        case .consumer:
            let identity = end.watched[0]
            return .consumer(
                ConsumerCaller(
                    id: identity.consumer, account: identity.account, app: identity.app, conversation: identity.id,
                    tokenIssued: clock.now))
        case .agent(let id, let name, let role, _):
            return .agent(AgentCaller(id: id, account: account, name: name, role: role))
        }
    }

    mutating func step() async throws {
        let index = Int.random(in: ends.indices, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: compose(ends.indices.randomElement(using: &random)!)
        case 25..<28: await performAction()
        case 28..<50: try await serve()
        case 50..<70: try await pump(index)
        case 70..<88: try arrive(index, count: Int.random(in: 1...4, using: &random))
        case 88..<90: mark(index)
        case 90..<92: play(index)
        case 92..<97: cut(index)
        case 97:
            ends[index].client.forget()
            cut(index)
        case 98: try await restart()
        default: clock.advance(milliseconds: .random(in: -5_000...60_000, using: &random))
        }
        for index in ends.indices where ends[index].session == nil && Int.random(in: 0..<4, using: &random) == 0 {
            try await connect(index)
        }
    }

    /// Somebody wants something; it goes on the line if there is one.
    mutating func compose(_ index: Int) {
        let conversation = ends[index].watched.randomElement(using: &random)!
        let command: Command =
            switch (Int.random(in: 0..<10, using: &random), ends[index].client.viewer) {
            case (0, _): .say("   ")
            case (1, _): .play(.sample("media-\(said.count)"))
            case (2...3, .brand): .take
            case (4, .brand): .close
            case (5...6, .brand): ask()
            case (4, .consumer):
                .rate(.init(csat: Int.random(in: 0...6, using: &random), text: "rated \(said.count)"))
            default: .say("\(ends[index].client.name) says \(said.count) \u{1F399}")
            }
        let unanswered = ends[index].client.compose(command, in: conversation.id)
        said[unanswered.key] = unanswered
        if ends[index].session != nil { ends[index].up.append(unanswered) }
    }

    /// The server takes some of what is on the lines, in any order, perhaps twice, all at once.
    mutating func serve() async throws {
        var taken: [(end: Int, said: ClientModel.Unanswered)] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            guard let end = ends.indices.filter({ !ends[$0].up.isEmpty }).randomElement(using: &random) else { break }
            let position = Int.random(in: ends[end].up.indices, using: &random)
            let isTwice = Int.random(in: 0..<5, using: &random) == 0
            taken.append((end, isTwice ? ends[end].up[position] : ends[end].up.remove(at: position)))
        }
        guard !taken.isEmpty else { return }
        for taken in taken { ends[taken.end].session?.commandStarted(in: taken.said.conversation) }
        let probe = StoreProbe(store, clock: clock, connecting: false)
        let changes = taken.map { taken in
            let identity = Self.conversations.first { $0.id == taken.said.conversation }!
            return probe.change(
                taken.said.command, key: taken.said.key.rawValue, in: identity, by: ends[taken.end].client.actor,
                context: context)
        }
        let answers = await probe.together(changes)
        for (taken, answer) in zip(taken, answers) {
            // The line may be cut between the commit and its answer.
            if Int.random(in: 0..<12, using: &random) == 0 { cut(taken.end) }
            guard ends[taken.end].session != nil else { continue }
            let (key, command, conversation) = (taken.said.key, taken.said.command, taken.said.conversation)
            ends[taken.end].down += try await ends[taken.end].session!.answer(
                key, command, in: conversation, answer)
        }
    }

    /// Every client gets the commit notifications; one of them reads.
    mutating func pump(_ index: Int) async throws {
        listen()
        guard ends[index].session != nil else { return }
        ends[index].down += try await ends[index].session!.pump()
        try await watchWhatBegan(index)
    }

    /// An agent can watch a conversation once it has begun.
    private mutating func watchWhatBegan(_ index: Int) async throws {
        for conversation in ends[index].watched where ends[index].session?.follows(conversation.id) == false {
            let cursor = ends[index].client.cursor(conversation.id)
            if let frame = try await ends[index].session!.open(conversation.id, after: cursor) {
                ends[index].down.append(frame)
            }
        }
    }

    mutating func listen() {
        let rings = listener.notifications
        for index in ends.indices { ends[index].session?.hear(Array(rings[played...])) }
        played = rings.count
    }

    /// Frames arrive, in their order; and now and then events that came before arrive again.
    mutating func arrive(_ index: Int, count: Int) throws {
        for _ in 0..<min(count, ends[index].down.count) {
            let frame = try JSONDecoder().decode(ServerFrame.self, from: Data(ends[index].down.removeFirst()))
            ends[index].client.receive(frame)
            if case .events = frame { ends[index].delivered.append(frame) }
            if case .rows = frame { ends[index].delivered.append(frame) }
        }
        if Int.random(in: 0..<3, using: &random) == 0, let again = ends[index].delivered.randomElement(using: &random) {
            ends[index].client.receive(again)
        }
    }

    mutating func mark(_ index: Int) {
        guard ends[index].session != nil, let conversation = ends[index].watched.randomElement(using: &random) else {
            return
        }
        let through = ends[index].client[conversation.id].through
        let actor = ends[index].client.actor
        let read = Int.random(in: 0...through, using: &random)
        store.log.raise(
            WatermarkUpdate(conversation: conversation.id, delivered: through, read: read) { $0.openParticipant(actor) }
        )
    }

    /// Somebody plays a part of something, perhaps of their own, perhaps of what is no voice message at all.
    mutating func play(_ index: Int) {
        guard ends[index].session != nil, let conversation = ends[index].watched.randomElement(using: &random) else {
            return
        }
        let copy = ends[index].client[conversation.id]
        let voices = copy.events.filter { if case .audio = $0.kind { true } else { false } }
        let number = voices.randomElement(using: &random)?.sequence ?? Int.random(in: 0...20, using: &random)
        let from = Int.random(in: 0...12_000, using: &random)
        guard let span = PlayedSpan(from: from, to: from + Int.random(in: 0...9_000, using: &random)),
            let played = ClientFrame.Played(number, in: nil, spans: [span])
        else { return }
        let actor = ends[index].client.actor
        store.log.raise(
            WatermarkUpdate(conversation: conversation.id, delivered: 0, read: 0, played: played) {
                $0.openParticipant(actor)
            })
    }

    mutating func cut(_ index: Int) {
        ends[index].session = nil
        (ends[index].up, ends[index].down, ends[index].delivered) = ([], [], [])
    }

    /// A new line: snapshots after the cursors, and everything unanswered again.
    mutating func connect(_ index: Int) async throws {
        listen()
        let client = ends[index].client
        let room = Int.random(in: 200...20_000, using: &random)
        ends[index].session = ServerEnd(caller(ends[index]), account: account, room: room, store: store.log)
        try await watchWhatBegan(index)
        if let inbox = try await ends[index].session!.openInbox(after: client.position) {
            ends[index].down.append(inbox)
        }
        ends[index].up = client.outbox
    }

    /// The server ends and starts again. All lines are cut.
    mutating func restart() async throws {
        for index in ends.indices { cut(index) }
        try store.close()
        store = try database.open()
        (listener, played) = (RecordingCommitListener(), 0)
        store.log.connect(listener)
    }
}

/// A database in a folder of its own, which goes away with it.
final class WorldDatabase {
    private let folder = NSTemporaryDirectory() + "/earshot-world-" + UUID().uuidString
    private let options: SQLiteStore.Options

    init(options: SQLiteStore.Options) throws {
        self.options = options
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func open() throws -> SQLiteStore {
        try SQLiteStore(path: folder + "/earshot.sqlite", keys: .forTests, options: options)
    }
}
