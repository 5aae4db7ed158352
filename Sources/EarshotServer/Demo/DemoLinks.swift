import Crypto
import EarshotCore
import EarshotModel
import Foundation

/// The links with which the demo's people sign in with one click. Each works once, for a day, on this machine only.
///
/// A link is a file in the data folder, so that a command can make new ones for a demo that runs. The file's name is
/// the digest of the link's token; who can write to the folder can do everything anyway.
struct DemoLinks: Sendable {
    /// How long a link lasts.
    static let lifetimeMs: Int64 = 24 * 3600 * 1000
    static let folderName = ".demo-links"
    private static let tokenBytes = 32

    private let folder: String
    private let environment: SystemEnvironment

    /// A link as its file has it.
    private struct Entry: Codable {
        let email: String
        let expires: Timestamp
    }

    init(data: String, environment: SystemEnvironment) {
        folder = data + "/" + Self.folderName
        self.environment = environment
    }

    /// Makes a link for each of the people that a visitor of the demo can be, in place of all links before.
    func make() throws -> [DemoLink] {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try DemoBrand.visitors.map { visitor in
            let token = Base64URL.encode(environment.random(Self.tokenBytes))
            let entry = Entry(email: visitor.email, expires: environment.now().adding(milliseconds: Self.lifetimeMs))
            let made = FileManager.default.createFile(
                atPath: path(token), contents: try JSONEncoder().encode(entry), attributes: [.posixPermissions: 0o600])
            guard made else { throw AdapterFailure("the demo's links cannot be written", isRetryable: true) }
            return DemoLink(person: visitor.name, path: "/workspace/#/enter/\(token)")
        }
    }

    /// Finds a link that has not ended.
    func link(_ token: String) -> SignInLink? {
        let (path, now) = (path(token), environment.now())
        guard let bytes = FileManager.default.contents(atPath: path),
            let entry = try? JSONDecoder().decode(Entry.self, from: bytes), now < entry.expires,
            entry.expires <= now.adding(milliseconds: Self.lifetimeMs),
            DemoBrand.visitors.contains(where: { $0.email == entry.email })
        else { return nil }
        // Of two requests at once, one removes the file.
        return SignInLink(account: DemoBrand.account, email: entry.email) { unlink(path) == 0 }
    }

    private func path(_ token: String) -> String {
        folder + "/" + Base64URL.encode(Array(SHA256.hash(data: Array(token.utf8))))
    }
}

/// A link that was just made.
public struct DemoLink: Hashable, Sendable {
    /// Who is signed in with it.
    public let person: String
    /// The path of the page that it opens. The token is in the fragment, which browsers never send.
    public let path: String
}
