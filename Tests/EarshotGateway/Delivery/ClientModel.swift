import EarshotDomain
import EarshotModel

/// A client of either side: what it has, what it said and does not know the answer to, and where it stands. Pure; the
/// test is its socket.
struct ClientModel: Sendable {
    /// Something said and not answered yet, kept until it is.
    struct Unanswered: Sendable {
        /// The idempotency key that every retry repeats.
        let key: IdempotencyKey
        /// The conversation that the command is for.
        let conversation: ConversationID
        /// The command to send until the server answers.
        let command: Command
    }

    /// The client's name, with which its idempotency keys begin.
    let name: String
    /// The consumer or agent that uses the client.
    let actor: Actor
    /// A consumer's conversation, which no frame to a consumer names. `nil` for an agent.
    let own: ConversationID?
    /// The copy of each conversation that the client follows.
    private(set) var copies: [ConversationID: ConversationCopy] = [:]
    /// The inbox rows by conversation; only agents have them.
    private(set) var rows: [ConversationID: InboxRow] = [:]
    /// The feed position of the inbox; `nil` before the first inbox arrived.
    private(set) var position: Int64?
    /// The commands without an answer, oldest first.
    private(set) var outbox: [Unanswered] = []
    /// The sequence number that the server gave to each accepted command.
    private(set) var accepted: [IdempotencyKey: Int] = [:]
    /// What was refused, with what was said: its copy on the line may yet be accepted, and then that is the truth.
    private(set) var refused: [IdempotencyKey: Unanswered] = [:]
    private var keys = 0

    /// Creates a client that has received nothing and sent nothing.
    init(name: String, actor: Actor, own: ConversationID? = nil) {
        (self.name, self.actor, self.own) = (name, actor, own)
    }

    /// The side of the conversation that the client sees.
    var viewer: Viewer { actor == .consumer ? .consumer : .brand }

    /// The copy of a conversation; an empty one if the client has none.
    subscript(_ conversation: ConversationID) -> ConversationCopy { copies[conversation] ?? ConversationCopy() }

    /// Where it stands in a conversation; `nil` where it has nothing of it.
    func cursor(_ conversation: ConversationID) -> Int? { copies[conversation]?.through }

    /// Stores a command with a new key, to be sent until it is answered.
    mutating func compose(_ command: Command, in conversation: ConversationID) -> Unanswered {
        keys += 1
        let said = Unanswered(
            key: IdempotencyKey(trusted: "\(name)-\(keys)"), conversation: conversation, command: command)
        outbox.append(said)
        return said
    }

    /// A new device: nothing is kept but what was not answered.
    mutating func forget() {
        (copies, rows, position) = ([:], [:], nil)
    }

    /// Applies a frame from the server.
    mutating func receive(_ frame: ServerFrame) {
        switch frame {
        case .ready(let ready): begin(own, ConversationCopy.Snapshot(ready, isFirst: own.flatMap(cursor) == nil))
        case .watching(let watching): begin(watching.conversation, ConversationCopy.Snapshot(watching))
        case .inbox(let inbox):
            if inbox.fresh { rows = [:] }
            take(inbox.rows, inbox.position)
        case .rows(let frame): take(frame.rows, frame.position)
        case .ok(let frame): answered(frame.key, frame.sequence, frame.at, in: frame.conversation ?? own)
        case .no(let frame):
            if let said = settle(frame.key) { refused[frame.key] = said }
        case .events(let frame):
            let through = frame.through ?? frame.events.last?.sequence ?? 0
            change(frame.conversation) { $0.take(frame.events, through: through) }
        case .page(let frame):
            change(frame.conversation) {
                $0.prepend(frame.events, more: frame.more)
                $0.played(frame.played ?? [])
            }
        case .marks(let frame): change(frame.conversation) { $0.moved(frame.marks) }
        case .played(let frame): change(frame.conversation) { $0.played(frame.played) }
        case .typing, .settings, .expect, .me, .team, .wall, .centre, .problem, .bye, .signal, .call, .check, .checked:
            break
        }
    }

    private mutating func begin(_ conversation: ConversationID?, _ snapshot: ConversationCopy.Snapshot) {
        guard let conversation else { return }
        copies[conversation, default: .init()].begin(snapshot)
    }

    private mutating func change(_ conversation: ConversationID?, _ change: (inout ConversationCopy) -> Void) {
        guard let conversation = conversation ?? own, var copy = copies[conversation] else { return }
        change(&copy)
        copies[conversation] = copy
    }

    private mutating func take(_ rows: [InboxRow], _ position: Int64) {
        for row in rows where row.position > self.rows[row.conversation]?.position ?? 0 {
            self.rows[row.conversation] = row
        }
        self.position = max(self.position ?? 0, position)
    }

    /// Its own text or voice message is built from what was sent: the server does not send it again.
    private mutating func answered(
        _ key: IdempotencyKey, _ sequence: Int, _ at: Timestamp, in conversation: ConversationID?
    ) {
        guard let said = settle(key) ?? refused.removeValue(forKey: key) else { return }
        accepted[key] = sequence
        guard case .send(let message) = said.command, let conversation, let me = number(in: conversation) else {
            return
        }
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
        case .agent(let id, _, _, _): self[conversation].people.last { $0.id == id }?.by
        }
    }
}
