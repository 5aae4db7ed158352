import ArgumentParser
import EarshotServer

/// `earshot retention …`: how long conversations are kept.
struct RetentionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention", abstract: "Show and change how long closed conversations are kept.",
        subcommands: [
            ShowRetention.self, SetRetention.self, HoldConversation.self, LiftHold.self, ConfirmClock.self,
            Receipts.self,
        ])
}

/// `earshot retention show`.
struct ShowRetention: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the retention period, what is due to be removed, and the legal holds.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String

    func run() async throws {
        try await installation.retentionAdmin().retentionLines(of: brand).forEach(printLine)
    }
}

/// `earshot retention set`.
struct SetRetention: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set for how many days closed conversations are kept.",
        discussion: """
            The days count from the last event of a conversation. Open conversations are kept. A running server \
            removes what is due within a day; to see what that is, run earshot retention show.
            """)

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The days, 1 to 3653.") var days: Int

    func run() async throws {
        try await installation.retentionAdmin().setRetention(days: days, of: brand)
        printLine("Closed conversations of \(brand) are kept for \(days) days.")
    }
}

/// `earshot retention hold`.
struct HoldConversation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold", abstract: "Keep a conversation, however old, until the hold is lifted.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Option(help: "Why; it is in the audit log.") var reason: String
    @Argument(help: "The conversation's id. Write -- before an id that begins with a dash.") var conversation: String

    func run() async throws {
        try await installation.retentionAdmin().hold(conversation: conversation, brand: brand, reason: reason)
        printLine("Held. To lift the hold, run: earshot retention lift --brand \(brand) -- \(conversation)")
    }
}

/// `earshot retention lift`.
struct LiftHold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lift", abstract: "Lift the legal hold of a conversation.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The conversation's id. Write -- before an id that begins with a dash.") var conversation: String

    func run() async throws {
        try await installation.retentionAdmin().liftHold(of: conversation, brand: brand)
        printLine("The hold is lifted.")
    }
}

/// `earshot retention confirm-clock`.
struct ConfirmClock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm-clock", abstract: "Confirm that this machine's clock is right.",
        discussion: """
            Nothing is removed because of its age while the clock differs by more than a day from the last time that \
            a server noted: a wrong clock would remove conversations too early. After a pause of the server of more \
            than a day, and after a backup was restored, the clock has to be confirmed too.
            """)

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
        try await installation.retentionAdmin().confirmClock()
        printLine("The clock is confirmed. A running server goes on within ten minutes.")
    }
}

/// `earshot retention receipts`.
struct Receipts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts", abstract: "Show the signed receipts of what was removed, newest first.",
        discussion: """
            Each line has the JSON that was signed, its Ed25519 signature in base64url, and whether it is valid, \
            divided by tabs. The command ends with status 1 if a signature is not valid.
            """)

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String?
    @Flag(help: "Show the public key instead, in PEM.") var publicKey = false

    func validate() throws {
        if brand == nil, !publicKey { throw ValidationError("Write --brand or --public-key.") }
    }

    func run() async throws {
        let admin = try await installation.retentionAdmin()
        guard let brand, !publicKey else { return printLine(admin.receiptPublicKey) }
        let found = try await admin.receiptLines(of: brand)
        found.lines.forEach(printLine)
        guard found.areValid else { throw ExitCode.failure }
    }
}

/// `earshot erase`: erases a consumer.
struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Erase a consumer, with the conversation and its recordings.",
        discussion: """
            It cannot be undone, except by a backup that was made before. The consumer's token is refused from then \
            on. A running server erases within seconds, and this command waits for the receipt; without one, the \
            server erases when it starts.

            Name the consumer by the conversation, by --consumer, or by --issuer and --subject, the claims iss and sub \
            of the ID tokens; that erases the person in every app. Anonymous visits from the same device stay: they \
            are listed on the consumer's card.
            """)

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Option(help: "Why; it is in the audit log.") var reason: String
    @Flag(help: "Confirm that everything of this consumer is to be erased.") var yes = false
    @OptionGroup var person: PersonOptions

    func validate() throws {
        if !yes { throw ValidationError("This cannot be undone. Confirm it with --yes.") }
    }

    func run() async throws {
        let receipts = try await installation.retentionAdmin().erase(person.person(), brand: brand, reason: reason)
        guard let receipts else { return printLine("The server will erase this consumer when it starts.") }
        receipts.forEach { printLine("Erased. Receipt: \($0)") }
    }
}

/// `earshot export`: exports everything about a consumer.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Export everything about a consumer into a ZIP archive.",
        discussion: """
            The archive has conversation.json (the consumer, all events, the list of recordings) and the original of \
            each recording. Only its owner can read it. The export is in the audit log. The server may be running.
            """)

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Option(help: "The archive to write. It must not exist.") var output: String
    @OptionGroup var person: PersonOptions

    func run() async throws {
        let summary = try await installation.retentionAdmin().export(person.person(), brand: brand, to: output)
        printLine("Wrote \(output): \(summary).")
    }
}

/// The options of commands about one person.
struct PersonOptions: ParsableArguments {
    @Option(help: "The consumer's id, also of one who never wrote.") var consumer: String?
    @Option(help: "The claim iss of the person's ID tokens.") var issuer: String?
    @Option(help: "The claim sub of the person's ID tokens.") var subject: String?
    @Argument(help: "The conversation's id. Write -- before an id that begins with a dash.") var conversation: String?

    func validate() throws { _ = try person() }

    /// Whom they name.
    func person() throws -> RetentionAdmin.Person {
        switch (conversation, consumer, issuer, subject) {
        case (let conversation?, nil, nil, nil): return .conversation(conversation)
        case (nil, let consumer?, nil, nil): return .consumer(consumer)
        case (nil, nil, let issuer?, let subject?): return .subject(issuer: issuer, subject: subject)
        default: throw ValidationError("Name one person: a conversation, --consumer, or --issuer with --subject.")
        }
    }
}
