import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation

/// A row of `conversation`: identity, state, watermarks and feed position. It is state row and inbox row in one, so
/// that a batch writes it once.
struct ConversationRow: Sendable {
    /// Its small integer name inside the database.
    let pk: Int64
    let feed: Int64
    var position: Int64
    var state: ConversationState
    var marks: Marks

    /// The columns in the order in which `read` takes them.
    static let columns = """
        c.pk, c.feed, c.position, c.id, f.account, c.app, c.consumer, c.channel, c.status, c.sequence, c.at, c.since, \
        c.assignee, c.last_by,
        \(ContentField.preview.opened("c.last_text")), c.last_audio, \(ContentField.people.opened("c.people")), \
        c.unanswered, c.watermarks, c.unplayed,
        c.playback_position, c.timestamps, \(ContentField.routing.opened("c.routing"))
        """
    /// With the table `conversation_key` as `k`.
    static let source = "conversation c JOIN feed f ON f.pk = c.feed \(ContentField.join())"
    /// The column after those of a conversation in a query of inbox rows: the consumer's name, of the table `p`.
    static let nameColumn = ContentField.name.opened("p.name")
    static let columnCount = 23

    /// - Throws: `DamagedRow`.
    static func read(_ row: RowReader) throws -> ConversationRow {
        do { return try decode(row) } catch { throw DamagedRow(table: "conversation", id: row.text(3)) }
    }

    private static func decode(_ row: RowReader) throws -> ConversationRow {
        var state = ConversationState(
            ConversationIdentity(
                id: ConversationID(trusted: row.text(3)), account: AccountID(trusted: row.text(4)),
                app: AppID(trusted: row.text(5)),
                consumer: ConsumerID(trusted: row.text(6)), channel: MessagingChannel(rawValue: row.text(7)) ?? .unknown
            ))
        guard let status = ConversationStatus(rawValue: row.text(8)), plausible.contains(row.int(9)),
            plausible.contains(row.int(20))
        else { throw Damage() }
        state.status = status
        state.sequence = row.int(9)
        state.lastEventAt = state.sequence > 0 ? Timestamp(milliseconds: row.integer(10)) : nil
        state.since = row.optionalInteger(11).map(Timestamp.init(milliseconds:))
        state.assignee = row.optionalInt(12).map(ParticipantNumber.init)
        state.last = try row.optionalInt(13).map {
            InboxRow.Preview(by: ParticipantNumber($0), text: try row.content(14), audio: row.optionalInt(15))
        }
        state.people = try people(row.blob(16))
        guard let unanswered = PackedNumbers.decode(row.blob(17)), var marks = Marks(packed: row.blob(18)),
            let unplayed = Unplayed(packed: row.blob(19))
        else { throw Damage() }
        guard unanswered.allSatisfy(plausible.contains) else { throw Damage() }
        state.unanswered = unanswered
        guard let timestamps = Timestamps(packed: row.blob(21)) else { throw Damage() }
        state.timestamps = timestamps
        if let routing = row.optionalText(22) {
            state.routing = try JSONDecoder().decode(RoutingState.self, from: Data(routing.utf8))
        }
        marks.unplayed = unplayed
        marks.playbackPosition = row.integer(20)
        return ConversationRow(
            pk: row.integer(0), feed: row.integer(1), position: row.integer(2), state: state, marks: marks)
    }

    /// Reads an inbox row. The query's last column, after those of a conversation, is the consumer's name.
    /// - Returns: the conversation's primary key, its inbox row, and who of the brand has to do with it.
    static func readInboxRow(_ row: RowReader) throws -> (pk: Int64, row: InboxRow?, people: ConversationPeople) {
        let conversation = try read(row)
        let who =
            try name(row) ?? Consumer.visitorName(of: conversation.state.identity.consumer)
        return (
            conversation.pk,
            InboxRow(conversation.state, marks: conversation.marks, who: who, position: conversation.position),
            ConversationPeople(conversation.state)
        )
    }

    private static func name(_ row: RowReader) throws -> String? {
        do { return try row.content(columnCount) } catch { throw DamagedRow(table: "consumer", id: row.text(6)) }
    }

    /// The columns that may change, in the order in which a `CachedConversation` binds them.
    static let changingColumns = [
        "position", "closed", "status", "sequence", "at", "since", "assignee", "last_by", "last_text", "last_audio",
        "people", "unanswered", "watermarks",
        "unplayed", "playback_position", "timestamps", "routing",
    ]

    /// What of a state is stored encoded and changes seldom: encoded again only then.
    struct Parts {
        /// People join rarely and are many fields: JSON.
        private(set) var people: [UInt8] = []
        private(set) var timestamps: [UInt8] = []
        /// `nil` where nothing was ever noted.
        private(set) var routing: String?

        init(_ state: ConversationState) throws {
            try update(state, from: Before(ConversationState(state.identity)))
        }

        /// What they were made of.
        struct Before {
            let people: [Participant]
            let timestamps: Timestamps
            let routing: RoutingState

            init(_ state: ConversationState) {
                (people, timestamps, routing) = (state.people, state.timestamps, state.routing)
            }
        }

        /// Encodes what differs. - Returns: whether the routing differs.
        @discardableResult
        mutating func update(_ state: ConversationState, from before: Before) throws -> Bool {
            if state.people != before.people { people = Array(try JSONEncoder().encode(state.people)) }
            if state.timestamps != before.timestamps { timestamps = state.timestamps.packed }
            guard state.routing != before.routing else { return false }
            routing = String(decoding: try JSONEncoder().encode(state.routing), as: UTF8.self)
            return true
        }
    }

    private static func people(_ bytes: [UInt8]) throws -> [Participant] {
        bytes.isEmpty ? [] : try JSONDecoder().decode([Participant].self, from: Data(bytes))
    }

    /// Some column cannot be read.
    struct Damage: Error {}

    /// The numbers, lengths and times that may be counted with.
    static let plausible = 0...(1 << 50)
}

extension Marks {
    /// By, delivered, read of each.
    var packed: [UInt8] { PackedNumbers.encode(all.flatMap { [$0.by.rawValue, $0.delivered, $0.read] }) }

    init?(packed bytes: [UInt8]) {
        guard let numbers = PackedNumbers.decode(bytes), numbers.count % 3 == 0,
            numbers.allSatisfy(ConversationRow.plausible.contains)
        else { return nil }
        self.init(
            stride(from: 0, to: numbers.count, by: 3).map {
                Mark(by: ParticipantNumber(numbers[$0]), delivered: numbers[$0 + 1], read: numbers[$0 + 2])
            })
    }
}

extension Unplayed {
    /// Number and length of each.
    var packed: [UInt8] {
        messages.isEmpty ? [] : PackedNumbers.encode(messages.flatMap { [$0.sequence, $0.durationMs] })
    }

    init?(packed bytes: [UInt8]) {
        guard let numbers = PackedNumbers.decode(bytes), numbers.count % 2 == 0,
            numbers.allSatisfy(ConversationRow.plausible.contains)
        else { return nil }
        self.init(
            stride(from: 0, to: numbers.count, by: 2).map {
                Message(sequence: numbers[$0], durationMs: numbers[$0 + 1])
            })
    }
}

extension Timestamps {
    /// Zigzag, for -1 says that there is none, and an age is below zero where a clock was set back.
    var packed: [UInt8] { PackedNumbers.encode(numbers.map { Int(truncatingIfNeeded: ($0 << 1) ^ ($0 >> 63)) }) }

    init?(packed bytes: [UInt8]) {
        guard let numbers = PackedNumbers.decode(bytes), numbers.allSatisfy(ConversationRow.plausible.contains) else {
            return nil
        }
        self.init(numbers: numbers.map { Int64($0 >> 1) ^ -Int64($0 & 1) })
    }
}

extension RowReader {
    /// A text that a query opened.
    func content(_ index: Int) throws -> String? {
        let text = optionalText(index)
        guard text?.utf8.first != ContentKey.unreadable else { throw ConversationRow.Damage() }
        return text
    }
}
