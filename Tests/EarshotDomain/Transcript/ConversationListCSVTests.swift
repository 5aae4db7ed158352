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

    @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠a"])
    func `has no cell that a spreadsheet runs as a formula`(text: String) {
        #expect(Self.line(who: text).contains(",\"'\(text)\","))
    }

    @Test(arguments: ["Ana", "", " =1", "a=1", "'=1", "1-1", "–1"])
    func `leaves other texts as they are`(text: String) {
        #expect(Self.line(who: text).contains(",\"\(text)\","))
    }

    @Test func `begins with a byte order mark and the names of the columns`() {
        let beginning = ConversationListCSV(zone: "UTC", skills: [:]).beginning
        #expect(beginning.hasPrefix("\u{FEFF}\"conversation\",") && beginning.hasSuffix("\"found\"\r\n"))
    }
}
