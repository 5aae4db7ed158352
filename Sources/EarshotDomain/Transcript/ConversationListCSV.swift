public import EarshotModel

/// A list of conversations as CSV (RFC 4180) for spreadsheets, in UTF-8 with a byte order mark.
///
/// No cell begins with a character that makes a spreadsheet run it as a formula: it gets an apostrophe. That holds
/// whatever separates cells for the spreadsheet. One that expects semicolons or tabs does not take our quotation marks
/// for quotes, so a cell begins for it wherever a text has such a character or a line break.
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
        var cell = String.UnicodeScalarView()
        if text.unicodeScalars.first.map(blanks.contains) == true { cell.append("'") }
        var isBeginning = true
        for scalar in text.unicodeScalars {
            if isBeginning, formulaBeginnings.contains(scalar) { cell.append("'") }
            // A spreadsheet takes quotation marks away from the beginning of a cell.
            isBeginning = scalar == ";" || blanks.contains(scalar) || (isBeginning && scalar == "\"")
            cell.append(scalar)
            if scalar == "\"" { cell.append(scalar) }
        }
        return "\"\(String(cell))\""
    }

    /// After these a cell begins for some spreadsheets. Others skip them at the beginning of a cell.
    private static let blanks: Set<Unicode.Scalar> = ["\t", "\r", "\n"]

    /// What spreadsheets read as the beginning of a formula, also in its full-width form.
    private static let formulaBeginnings: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
}
