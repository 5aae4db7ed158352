import ArgumentParser
import EarshotServer

/// `earshot sign-out`: ends the sessions of a person.
struct SignOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "End the sessions of a person, or one of them. The person may sign in again.",
        discussion: "A running server closes the connections within a second.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    // An id may begin with a dash.
    @Option(parsing: .unconditional, help: "The id of one session; see earshot list sessions.") var session: String?
    @Argument(help: "The person's e-mail address.") var email: String

    func run() async throws {
        let count = try await installation.admin().endSessions(
            of: email, brand: brand, session: session)
        printLine("Ended \(count) \(count == 1 ? "session" : "sessions") of \(email).")
    }
}

/// `earshot block`: blocks the consumer of a conversation.
struct Block: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Block the consumer of a conversation.",
        discussion: "A running server closes the consumer's connections within a second. The conversation stays.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(
        help: "The conversation's id, as in the workspace's address. Write -- before an id that begins with a dash.")
    var conversation: String

    func run() async throws {
        try await ConsumerAdmin(installation.admin()).block(conversation: conversation, brand: brand, true)
        printLine("Blocked. To undo this, run: earshot unblock --brand \(brand) -- \(conversation)")
    }
}

/// `earshot unblock`: lifts the block of a consumer.
struct Unblock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lift the block of the consumer of a conversation.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The conversation's id. Write -- before an id that begins with a dash.") var conversation: String

    func run() async throws {
        try await ConsumerAdmin(installation.admin()).block(conversation: conversation, brand: brand, false)
        printLine("Unblocked. The consumer can write again.")
    }
}

/// `earshot sign-out-consumer`: signs the consumer of a conversation out everywhere.
struct SignOutConsumer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign the consumer of a conversation out everywhere.",
        discussion: """
            Tokens that were issued before are refused, and a running server closes the consumer's connections within \
            a second. An anonymous consumer begins a new conversation; a signed-in one returns to this one with an ID \
            token.
            """)

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The conversation's id. Write -- before an id that begins with a dash.") var conversation: String

    func run() async throws {
        try await ConsumerAdmin(installation.admin()).signOut(conversation: conversation, brand: brand)
        printLine("Signed out. Tokens that were issued before are refused.")
    }
}

/// `earshot rotate-keys`: makes a new key for consumers' tokens.
struct RotateKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a new key for consumers' tokens.",
        discussion: """
            The new key signs from now on; a running server uses it within a second. Tokens of the old key are \
            accepted for some days, and replaced when their owners return. With --days 0 every consumer loses the \
            conversation at once: for a key that was stolen.
            """)

    @OptionGroup var installation: InstallationOptions
    @Option(help: "For how many days tokens of the old key are accepted.") var days = AdminService.keyDays

    func run() async throws {
        let end = try await installation.admin().rotateKeys(acceptingOldFor: days)
        printLine("A new key signs consumers' tokens. The old key is accepted until \(end).")
    }
}
