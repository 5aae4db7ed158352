public import EarshotModel

/// A list of conversations as CSV (RFC 4180) for spreadsheets, in UTF-8 with a byte order mark.
///
/// No cell begins with a character that makes a spreadsheet run it as a formula: such a cell begins with an apostrophe.
public struct ConversationListCSV: Sendable {
    private let zone: String
    private let skills: [SkillID: String]

    /// Makes a list.
    /// - Parameters:
    ///   - zone: the time zone of all times.
    ///   - skills: the names of the brand's skills.
    public init(zone: String, skills: [SkillID: String]) {
        self.zone = zone
        self.skills = skills
    }

    /// The byte order mark and the names of the columns.
    public var beginning: String {
        "\u{FEFF}"
            + Self.line([
                "conversation", "status", "consumer", "channel", "app", "skill", "agent", "tags", "rating",
                "last activity", "last message", "found",
            ])
    }

    /// The line of a conversation.
    /// - Parameter found: the message in which a search found its words.
    public func line(of row: InboxRow, found: String?) -> String {
        let routing = row.routing
        return Self.line([
            row.conversation.rawValue, row.status.rawValue, row.who, row.channel.rawValue, row.app.rawValue,
            routing?.skill.map { skills[$0] ?? $0.rawValue } ?? "", row.assigneeName ?? "",
            (routing?.tags ?? []).joined(separator: ", "), routing?.csat.map(String.init) ?? "",
            Zone.iso8601(row.at, in: zone), row.last.map(Self.text) ?? "", found ?? "",
        ])
    }

    private static func text(_ last: InboxRow.Preview) -> String {
        last.text ?? "\(TextTranscript.audioLabel) \(TextTranscript.length(last.audio ?? 0))"
    }

    private static func line(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    private static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map(formulaBeginnings.contains) == true
        return "\"\(isFormula ? "'" : "")\(text.replacing("\"", with: "\"\""))\""
    }

    /// What spreadsheets read as the beginning of a formula, also in its full-width form and after a line break.
    private static let formulaBeginnings: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
}
