import EarshotCore
import EarshotModel
import Foundation

extension AdminService {
    /// The brands, a line each: id, name, active or suspended, divided by tabs.
    public func brandLines() async throws -> [String] {
        let suspended = try await accounts.suspended()
        return try await installation.accounts().map {
            Self.line($0.id.rawValue, $0.name, suspended.contains($0.id) ? "suspended" : "active")
        }
    }

    /// The apps of a brand, a line each: id, name, origins.
    public func appLines(of brand: String) async throws -> [String] {
        try await accounts.apps(of: known(brand)).map {
            Self.line($0.id.rawValue, $0.name, $0.allowedOrigins.joined(separator: " "))
        }
    }

    /// The people of a brand, a line each: address, name, role, active or disabled. Those who were removed are omitted.
    public func peopleLines(of brand: String) async throws -> [String] {
        try await accounts.agents(of: known(brand)).filter { $0.email.contains("@") }.map {
            Self.line($0.email, $0.name, $0.role.rawValue, $0.isDisabled ? "disabled" : "active")
        }
    }

    /// The sessions of a person, a line each: id, begin, end, device.
    public func sessionLines(of email: String, brand: String) async throws -> [String] {
        try await sessions(of: email, brand: brand).map {
            Self.line($0.id, $0.since?.minute ?? "", $0.expires.minute, $0.device ?? "")
        }
    }

    private static func line(_ columns: String...) -> String {
        columns.map { $0.replacing("\t", with: " ").replacing("\n", with: " ") }.joined(separator: "\t")
    }
}

extension Timestamp {
    /// The minute in UTC: 2026-11-22T20:32Z.
    fileprivate var minute: String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
    }
}
