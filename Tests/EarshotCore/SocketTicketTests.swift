import EarshotModel
import Testing

@testable import EarshotCore

@Suite struct `Tickets for sockets` {
    private let tickets = SocketTickets()
    private let dana = AgentCaller(
        id: AgentID(trusted: "dana"), account: AccountID(trusted: "tulip"), name: "Dana", role: .agent)

    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    private func isGood(_ ticket: String, _ now: Int64 = 0) -> Bool {
        (try? tickets.redeem(ticket, at: at(now))) != nil
    }

    @Test func `of one session are five: one more replaces the oldest`() throws {
        for place in 0...SocketTickets.perSession {
            try tickets.issue("t\(place)", to: dana, session: [1], at: at(0))
        }
        #expect(!isGood("t0"))
        #expect((1...SocketTickets.perSession).allSatisfy { isGood("t\($0)") })
    }

    @Test func `of one session leave room for everybody else`() throws {
        for place in 0..<(2 * SocketTickets.capacity) {
            try tickets.issue("t\(place)", to: dana, session: [1], at: at(0))
        }
        try tickets.issue("other", to: dana, session: [2], at: at(0))
        #expect(isGood("other"))
    }

    @Test func `are good once, for a minute`() throws {
        try tickets.issue("used", to: dana, session: nil, at: at(0))
        try tickets.issue("late", to: dana, session: nil, at: at(0))
        #expect(isGood("used") && !isGood("used"))
        #expect(!isGood("late", SocketTickets.lifetimeMs))
    }

    @Test func `end with their session and their agent`() throws {
        try tickets.issue("mine", to: dana, session: [1], at: at(0))
        try tickets.issue("other", to: dana, session: [2], at: at(0))
        tickets.remove(session: [1])
        #expect(!isGood("mine"))
        tickets.remove(agent: dana.id)
        #expect(!isGood("other"))
    }

    @Test func `that expired make room`() throws {
        for session in 0..<(SocketTickets.capacity / SocketTickets.perSession) {
            for place in 0..<SocketTickets.perSession {
                let digest = withUnsafeBytes(of: session) { Array($0) }
                try tickets.issue("\(session).\(place)", to: dana, session: digest, at: at(0))
            }
        }
        #expect(throws: Rejection.unavailable) { try tickets.issue("full", to: dana, session: [1], at: at(0)) }
        try tickets.issue("later", to: dana, session: [1], at: at(SocketTickets.lifetimeMs))
        #expect(isGood("later", SocketTickets.lifetimeMs))
    }
}
