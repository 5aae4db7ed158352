import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotDomain

/// How a spreadsheet's own reader takes it is tested in Tests/EndToEnd/workspace/test_search_export.py.
@Suite struct `A list of conversations as CSV` {
    private static func line(who: String = "Ana", last: InboxRow.Preview? = nil, found: String? = nil) -> String {
        var routing = InboxRow.RoutingInfo()
        (routing.skill, routing.tags, routing.csat) = (SkillID(trusted: "orders"), ["late", "vip"], 4)
        let row = InboxRow(
            conversation: ConversationID(trusted: "c"), position: 1, status: .open, assignee: AgentID(trusted: "dana"),
            assigneeName: "Dana", who: who, channel: .web, app: AppID(trusted: "shop"), sequence: 3,
            at: Timestamp(milliseconds: 1_772_371_824_000), since: Timestamp(milliseconds: 1), last: last, unread: 0,
            routing: routing)
        return ConversationListCSV(zone: "Asia/Kolkata", skills: [SkillID(trusted: "orders"): "Orders"])
            .line(of: row, found: found)
    }

    @Test func `has a line with the values of each column`() {
        #expect(
            Self.line(last: .init(by: .consumer, text: "He said \"no\",\nand left"), found: "no")
                == "\"c\",\"open\",\"Ana\",\"web\",\"shop\",\"Orders\",\"Dana\",\"late, vip\",\"4\","
                + "\"2026-03-01T19:00:24+05:30\",\"He said \"\"no\"\",\nand left\",\"no\"\r\n")
    }

    @Test func `shows a voice message as every transcript does`() {
        #expect(Self.line(last: .init(by: .consumer, audio: 16_400)).contains("\"[audio message] 0:17\""))
    }

    @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠a"])
    func `has no cell that a spreadsheet runs as a formula`(text: String) {
        #expect(Self.line(who: text).contains(",\"'\(text)\","))
        for blank in ["\t", "\r", "\n", "\r\n"] {
            #expect(Self.line(who: blank + text).contains(",\"'\(blank)'\(text)\","))
        }
    }

    /// The list separator of Germany, France and others is a semicolon. Such a reader takes no quotation mark within a
    /// cell for a quote, so that our cells are its text.
    @Test(arguments: [",", ";", "\t"] as [Unicode.Scalar])
    func `has no cell that is a formula, whatever the list separator`(separator: Unicode.Scalar) {
        for sign in ["=", "+", "-", "@", "＝"] {
            for before in ["", "a", "\"", "a\"", "\"\""] {
                for end in [";", "\t", "\n", "\r", "\r\n", ";;", ";\t", ";\"", ";\"\"", "\t\"\"\"", ";\n\"", ""] {
                    let text = before + end + sign + "1+1;"
                    let line = Self.line(who: text, last: .init(by: .consumer, text: text), found: text)
                    for cell in Spreadsheet.cells(line, separator: separator) {
                        let first = cell.unicodeScalars.first { !["\t", "\r", "\n"].contains($0) }
                        #expect(
                            first.map { "=+-@＝".unicodeScalars.contains($0) } != true,
                            "\(text.debugDescription) becomes \(cell.debugDescription)")
                    }
                }
            }
        }
    }

    @Test func `keeps what was said`() {
        let text = "a;=1;-2\nx \"=3\" - \"b\""
        let cells = Spreadsheet.cells(Self.line(who: text), separator: ",")
        #expect(cells[2] == "a;'=1;'-2\nx \"=3\" - \"b\"", "with an apostrophe where a cell may begin")
        #expect(cells.count == 12)
    }

    @Test(arguments: ["Ana", "", " =1", "a=1", "'=1", "1-1", "–1", "a, -1", "a,-1", "1; 2", "a;b", "One\n\nTwo"])
    func `leaves other texts as they are`(text: String) {
        #expect(Self.line(who: text).contains(",\"\(text)\","))
    }

    @Test func `begins with a byte order mark and the names of the columns`() {
        let beginning = ConversationListCSV(zone: "UTC", skills: [:]).beginning
        #expect(beginning.hasPrefix("\u{FEFF}\"conversation\",") && beginning.hasSuffix("\"found\"\r\n"))
    }
}

/// Reads lines as spreadsheets do: a quotation mark quotes only at the beginning of a cell, and what comes after the
/// closing one belongs to the cell.
private enum Spreadsheet {
    static func cells(_ text: String, separator: Unicode.Scalar) -> [String] {
        var (cells, cell) = ([String](), String.UnicodeScalarView())
        var (isBeginning, isQuoted, mayClose) = (true, false, false)
        for scalar in text.unicodeScalars {
            if isQuoted, !mayClose, scalar == "\"" {
                mayClose = true
                continue
            }
            if mayClose {
                mayClose = false
                if scalar == "\"" {
                    cell.append(scalar)
                    continue
                }
                isQuoted = false
            }
            if !isQuoted, scalar == separator || scalar == "\r" || scalar == "\n" {
                cells.append(String(cell))
                (cell, isBeginning) = (String.UnicodeScalarView(), true)
            } else if isBeginning, scalar == "\"" {
                (isQuoted, isBeginning) = (true, false)
            } else {
                cell.append(scalar)
                isBeginning = false
            }
        }
        return cells.last == "" ? Array(cells.dropLast()) : cells
    }
}
