public import EarshotModel

/// The digits that the newest messages of one author end with, so that a card number that is written in pieces is
/// recognized with its last piece.
public struct TrailingDigits: Hashable, Codable, Sendable {
    /// The digits of one message.
    private struct Piece: Hashable, Codable {
        let at: Timestamp
        let groups: [String]
    }

    /// The author.
    public let author: ParticipantNumber
    /// Oldest first. Each but the first message consists of nothing but its digits.
    private let pieces: [Piece]

    /// A number that is written in pieces is complete within this time, in milliseconds.
    private static let limitMs: Int64 = 120_000
    /// How many messages come before the last piece.
    private static let piecesMaximum = 2
    private static let digitsMaximum = 19

    /// The digits after one more message of the author, or `nil` if that does not end with digits.
    init?(_ text: String, by author: ParticipantNumber, at: Timestamp, after before: TrailingDigits?) {
        guard let last = text.unicodeScalars.last, last.value >= 0x80 || Self.mayEnd(last) else { return nil }
        let runs = DigitRun.all(in: Array(text.unicodeScalars))
        guard let run = runs.last, run.isAtEnd else { return nil }
        let groups = Self.newest(run.groups.map { $0.digits.map(String.init).joined() })
        let earlier = run.isAtStart ? before?.pieces(openAt: at) ?? [] : []
        self.author = author
        pieces = (earlier + [Piece(at: at, groups: groups)]).suffix(Self.piecesMaximum)
    }

    /// The groups of digits that a message at this time may continue, first first.
    func groups(at now: Timestamp) -> [String] { pieces(openAt: now).flatMap(\.groups) }

    private func pieces(openAt now: Timestamp) -> [Piece] {
        pieces.filter { now.milliseconds - $0.at.milliseconds <= Self.limitMs }
    }

    private static func mayEnd(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar) || scalar == "." || scalar == "-" || scalar == " " || scalar == "\n"
    }

    private static func newest(_ groups: [String]) -> [String] {
        var count = 0
        let kept = groups.reversed().prefix { group in
            count += group.count
            return count <= digitsMaximum
        }
        return Array(kept.reversed())
    }
}
