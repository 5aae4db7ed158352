import EarshotCore
import EarshotModel
import Foundation

extension AdminService {
    /// What `earshot init` makes.
    public struct FirstBrand: Sendable {
        /// The Brand ID.
        public var brand = "main"
        /// The brand's name.
        public var name = "My brand"
        /// The App ID.
        public var app = "site"
        /// Origins whose pages may embed the widget.
        public var origins: [String] = []
        /// The address of the first administrator.
        public var email = "admin@localhost"

        /// Creates it with the defaults.
        public init() {}
    }

    /// Sets an empty installation up: a brand, an app and an administrator.
    /// - Returns: the administrator's password, which is stored nowhere.
    /// - Throws: `InvalidInput` if there is a brand already.
    public func start(with first: FirstBrand) async throws -> String {
        guard try await installation.accounts().isEmpty else {
            throw InvalidInput(
                description: "This installation has a brand already. To add another, run: earshot add brand")
        }
        let password = OneTimePassword.make(random: environment.random)
        try await addBrand(
            id: first.brand, name: first.name, color: Self.color, welcome: "Hi there! How can we help?")
        try await addApp(id: first.app, brand: first.brand, name: first.name, origins: first.origins)
        try await addPerson(
            email: first.email, brand: first.brand, name: "Administrator", profile: .administrator, password: password)
        return password
    }

    private static let color = "#1f6f5c"
}

/// Passwords that are printed once and typed by hand.
enum OneTimePassword {
    /// Makes a password of three groups of four letters and digits (60 bits) that do not look alike.
    static func make(random: (Int) -> [UInt8]) -> String {
        let alphabet = Array("abcdefghjkmnpqrstuvwxyz234567892")
        let letters = random(12).map { alphabet[Int($0 & 31)] }
        return stride(from: 0, to: 12, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
    }
}

extension Timestamp {
    /// The day in UTC: 2026-11-22.
    var day: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601.year().month().day())
    }
}
