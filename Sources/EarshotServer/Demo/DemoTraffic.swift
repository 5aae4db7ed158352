import EarshotCore
import EarshotModel
import Logging
import ServiceLifecycle

/// Plays consumers and agents in `earshot demo --busy`: consumers write, agents answer. Dana and Mira are not played,
/// so that you can sign in as them.
struct DemoTraffic: Service {
    let core: CoreServices
    let inbox: any ConversationReads
    let environment: SystemEnvironment
    let people: [Agent]
    let logger: Logger

    /// A simulated consumer, and how many more messages they write.
    private struct Guest {
        let caller: ConsumerCaller
        var turns: Int
        var nextAt: Timestamp
    }

    /// The most consumers at a time.
    static let guests = 12

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var guests: [Guest] = []
            while !Task.isCancelled {
                do { try await step(&guests) } catch {
                    logger.warning("A step of the busy demo failed.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func step(_ guests: inout [Guest]) async throws {
        let now = environment.now()
        if guests.count < Self.guests, dice(6) == 0 { guests.append(try await arrive(now)) }
        let rows = try await inbox.inbox(DemoBrand.account, after: nil).rows
        for index in guests.indices where guests[index].nextAt <= now { try await speak(&guests[index], rows, now) }
        guests.removeAll { $0.turns <= 0 }
        for row in rows { try await answer(row, now) }
    }

    private func arrive(_ now: Timestamp) async throws -> Guest {
        let pages = ["/demo/", "/demo/product.html", "/demo/order/FW-4\(100 + dice(800))", "/demo/returns"]
        let welcome = try await core.identity.welcome(
            .init(
                account: DemoBrand.account, app: DemoBrand.app, page: pages[dice(pages.count)], language: "en",
                device: "Safari on iPhone"))
        return Guest(caller: try core.identity.consumer(token: welcome.token), turns: 3 + dice(3), nextAt: now)
    }

    private func speak(_ guest: inout Guest, _ rows: [InboxRow], _ now: Timestamp) async throws {
        let row = rows.first { $0.conversation == guest.caller.conversation }
        guest.nextAt = now.adding(milliseconds: Int64(4 + dice(12)) * 1000)
        // A consumer waits for an answer before writing again.
        if let row, row.last?.by.isConsumer == true, row.status != .closed { return }
        guest.turns -= 1
        let open = core.access.openOwn(guest.caller)
        if row?.status == .closed {
            guest.turns = 0
            return try await ask(.rate(.init(csat: [5, 5, 5, 4, 4, 3, 2][dice(7)])), in: open)
        }
        try await ask(.send(.text(Self.questions[dice(Self.questions.count)])), in: open)
    }

    private func answer(_ row: InboxRow, _ now: Timestamp) async throws {
        let waited = now.milliseconds - row.at.milliseconds
        if let offer = row.routing?.offer, row.status == .waiting {
            guard waited > 3000, dice(4) == 0, let agent = people.first(where: { offer.to.contains($0.id) }) else {
                return
            }
            return try await ask(dice(9) == 0 ? .decline : .take, in: row, as: agent)
        }
        guard row.status == .open, let agent = people.first(where: { $0.id == row.assignee }), waited > 4000,
            dice(4) == 0
        else { return }
        if row.last?.by.isConsumer == true {
            return try await ask(.send(.text(Self.answers[dice(Self.answers.count)])), in: row, as: agent)
        }
        guard waited > 25_000 else { return }
        try await ask(.dispose("solved"), in: row, as: agent)
        try await ask(.close, in: row, as: agent)
    }

    private func ask(_ command: Command, in row: InboxRow, as agent: Agent) async throws {
        let caller = Caller.agent(.init(id: agent.id, account: agent.account, name: agent.name, role: agent.role))
        let open = try await core.access.open(row.conversation, as: caller)
        try await ask(command, in: open)
        core.conversations.mark(delivered: row.sequence, read: row.sequence, in: open)
    }

    /// Performs a command and ignores a refusal: it means that the conversation changed, and the next step sees that.
    private func ask(_ command: Command, in conversation: OpenConversation) async throws {
        _ = await withCheckedContinuation { continuation in
            core.conversations.perform(command, key: environment.id(), in: conversation) {
                continuation.resume(returning: $0)
            }
        }
    }

    private func dice(_ sides: Int) -> Int { Int(environment.random(2).reduce(0) { $0 << 8 | Int($1) }) % sides }

    private static let questions = [
        "Hi! Is the Fjell 2 back in stock?", "Do these boots run small?", "Where is my parcel?",
        "Can I pick it up in the shop?", "How long do I have to send it back?",
        "Is there a discount for clubs?", "The bag is lovely, thanks!", "Which stove is the quietest?", "And in blue?",
        "How heavy is it?", "Could you send me the invoice again?",
    ]
    private static let answers = [
        "Yes, since this morning.", "Half a size larger is right for most people.",
        "It is on the van, and should be with you today.", "Of course, from tomorrow noon.",
        "100 days, and we pay for the way back.", "For six or more, ten per cent.", "So glad you like it!",
        "The Lumi. You will hear the birds.", "In blue too, in all sizes.",
        "Just under two kilos with its bag.", "I have sent it to your address.",
    ]
}
