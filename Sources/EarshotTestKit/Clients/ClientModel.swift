public import EarshotDomain
public import EarshotModel

/// A client of either side: what it has, what it said and does not know the answer to, and where it stands. Pure; the
/// test is its socket.
public struct ClientModel: Sendable {
    /// Something said and not answered yet, kept until it is.
    public struct Unanswered: Sendable {
        /// The idempotency key that every retry repeats.
        public let key: IdempotencyKey
        /// The conversation that the command is for.
        public let conversation: ConversationID
        /// The command to send until the server answers.
        public let command: Command
    }

    /// The client's name, with which its idempotency keys begin.
    public let name: String
    /// The consumer or agent that uses the client.
    public let actor: Actor
    /// The copy of each conversation that the client follows.
    public private(set) var copies: [ConversationID: ConversationCopy] = [:]
    /// The inbox rows by conversation; only agents have them.
    public private(set) var rows: [ConversationID: InboxRow] = [:]
    /// The feed position of the inbox; `nil` before the first inbox arrived.
    public private(set) var position: Int64?
    /// The commands without an answer, oldest first.
    public private(set) var outbox: [Unanswered] = []
    /// The sequence number that the server gave to each accepted command.
    public private(set) var accepted: [IdempotencyKey: Int] = [:]
    /// What was refused, with what was said: its copy on the line may yet be accepted, and then that is the truth.
    public private(set) var refused: [IdempotencyKey: Unanswered] = [:]
    private var keys = 0

    /// Creates a client that has received nothing and sent nothing.
    public init(name: String, actor: Actor) {
        (self.name, self.actor) = (name, actor)
    }

    /// The side of the conversation that the client sees.
    public var viewer: Viewer { actor == .consumer ? .consumer : .brand }

    /// The copy of a conversation; an empty one if the client has none.
    public subscript(_ conversation: ConversationID) -> ConversationCopy { copies[conversation] ?? ConversationCopy() }

    /// Where it stands in a conversation; `nil` where it has nothing of it.
    public func cursor(_ conversation: ConversationID) -> Int? { copies[conversation]?.through }

    /// Stores a command with a new key, to be sent until it is answered.
    public mutating func compose(_ command: Command, in conversation: ConversationID) -> Unanswered {
        keys += 1
        let said = Unanswered(
            key: IdempotencyKey(trusted: "\(name)-\(keys)"), conversation: conversation, command: command)
        outbox.append(said)
        return said
    }

    /// A new device: nothing is kept but what was not answered.
    public mutating func forget() {
        (copies, rows, position) = ([:], [:], nil)
    }

    /// Applies a frame from the server.
    public mutating func receive(_ frame: LoopbackFrame) {
        switch frame {
        case .snapshot(let conversation, let snapshot): copies[conversation, default: .init()].begin(snapshot)
        case .inbox(let rows, let position, let fresh):
            if fresh { self.rows = [:] }
            take(rows, position)
        case .events(let events, let conversation, let through): copies[conversation]?.take(events, through: through)
        case .page(let events, let conversation, let more, let played):
            copies[conversation]?.prepend(events, more: more)
            copies[conversation]?.played(played)
        case .ok(let key, let sequence, let at, let conversation): answered(key, sequence, at, in: conversation)
        case .no(let key, _):
            if let said = settle(key) { refused[key] = said }
        case .marks(let marks, let conversation): copies[conversation]?.moved(marks)
        case .played(let played, let conversation): copies[conversation]?.played(played)
        case .rows(let rows, let position): take(rows, position)
        }
    }

    private mutating func take(_ rows: [InboxRow], _ position: Int64) {
        for row in rows where row.position > self.rows[row.conversation]?.position ?? 0 {
            self.rows[row.conversation] = row
        }
        self.position = max(self.position ?? 0, position)
    }

    /// Its own text or voice message is built from what was sent: the server does not send it again.
    private mutating func answered(
        _ key: IdempotencyKey, _ sequence: Int, _ at: Timestamp, in conversation: ConversationID
    ) {
        guard let said = settle(key) ?? refused.removeValue(forKey: key) else { return }
        accepted[key] = sequence
        guard case .send(let message) = said.command, let me = number(in: conversation) else { return }
        let kind: Event.Kind =
            switch message {
            case .text(let text): .text(text)
            case .audio(let audio): .audio(audio)
            }
        copies[conversation]?.said(Event(sequence: sequence, at: at, by: me, kind: kind))
    }

    private mutating func settle(_ key: IdempotencyKey) -> Unanswered? {
        guard let index = outbox.firstIndex(where: { $0.key == key }) else { return nil }
        return outbox.remove(at: index)
    }

    private func number(in conversation: ConversationID) -> ParticipantNumber? {
        switch actor {
        case .consumer: .consumer
        case .agent(let id, _, _): self[conversation].people.last { $0.id == id }?.by
        }
    }
}
