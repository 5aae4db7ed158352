import ArgumentParser
import EarshotServer

/// `earshot keys`: the keys that encrypt what people write.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Manage the keys that encrypt what people write.", subcommands: [Rotate.self])

    /// `earshot keys rotate`: replaces the master key.
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the master key. Stop the server first.",
            discussion: """
                A new master key encrypts the keys of all conversations; the texts stay as they are. If the command is \
                interrupted, run it again: until it is complete, the file has both keys and the server can start. \
                Backups that were made before need the earlier key: keep a copy of it as long as you keep them, or \
                destroy it so that they cannot be read.
                """)

        @OptionGroup var installation: InstallationOptions

        func run() async throws {
            let configuration = try await installation.configuration()
            let outcome = try await withExitCodes { try await MasterKeyRotation(configuration).run() }
            printLine("The master key is \(outcome.key) now. Keys of conversations: \(outcome.wrapped).")
            printLine("Copy \(outcome.file) to where you keep its copy: no backup has it.")
        }
    }
}
