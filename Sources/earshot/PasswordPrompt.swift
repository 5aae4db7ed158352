import ArgumentParser
import EarshotServer
import Foundation

/// Reads a password from standard input: without echo from a terminal, otherwise the first line.
enum PasswordPrompt {
    static func read() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        defer { FileHandle.standardError.write(Data("\n".utf8)) }
        return try withoutEcho {
            // Not earlier: what is typed before the echo is off would be shown, and then thrown away.
            FileHandle.standardError.write(Data("Password: ".utf8))
            return try line()
        }
    }

    private static func line() throws -> String {
        guard let password = readLine(strippingNewline: true) else {
            throw ValidationError("Write the password to standard input.")
        }
        return password
    }

    /// Turns the terminal's echo off for as long as `body` runs.
    private static func withoutEcho<Value>(_ body: () throws -> Value) throws -> Value {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try body() }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
            throw ValidationError("The terminal would show the password. Write it to standard input instead.")
        }
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        return try body()
    }
}

/// `earshot set-password`: sets a person's password.
struct SetPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Set a person's password. Reads it from standard input.",
        discussion: "Ends all sessions of the person, also on a running server, within two seconds.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The person's e-mail address.") var email: String

    func run() async throws {
        let admin = try await installation.admin()
        try await admin.setPassword(email: email, brand: brand, password: try PasswordPrompt.read())
        printLine("\(email) has a new password. All sessions of this person have ended.")
    }
}
