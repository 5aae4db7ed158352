import EarshotCore
import EarshotModel

/// Performs the operator's commands about the API keys of brands.
public struct APIKeyAdmin: Sendable {
    private let admin: AdminService

    /// Works with this installation.
    public init(_ admin: AdminService) {
        self.admin = admin
    }

    /// Makes a key.
    /// - Returns: what the program sends. It is stored nowhere.
    /// - Throws: `AdminService.InvalidInput`.
    public func add(name: String, scopes: [String], days: Int, brand: String) async throws -> String {
        let brand = try await admin.known(brand)
        let known = try scopes.map { name in
            guard let scope = ProgramScope(rawValue: name) else {
                let all = ProgramScope.allCases.map(\.rawValue).joined(separator: ", ")
                throw AdminService.InvalidInput(description: "\(name) is not a scope. Use \(all).")
            }
            return scope
        }
        guard (1...Self.mostDays).contains(days) else {
            throw AdminService.InvalidInput(description: "The days must be 1 to \(Self.mostDays).")
        }
        let expires = admin.environment.now().adding(milliseconds: Int64(days) * Self.dayMs)
        return try await admin.allowed {
            try await admin.apiKeys.make(
                APIKeyWish(name: name, scopes: Set(known), expires: expires), for: brand, by: AuditEntry.operator_
            ).text
        }
    }

    /// The keys of a brand, a line each: id, name, scopes, begin, end, last use, divided by tabs.
    public func lines(of brand: String) async throws -> [String] {
        try await admin.apiKeys.keys(of: admin.known(brand)).map { key in
            let scopes = key.scopes.map(\.rawValue).sorted().joined(separator: ",")
            return [key.id.rawValue, key.name, scopes, key.made.day, key.expires.day, key.used?.day ?? ""]
                .map { $0.replacing("\t", with: " ") }.joined(separator: "\t")
        }
    }

    /// Revokes a key.
    /// - Throws: `AdminService.InvalidInput` if the brand has no such key.
    public func revoke(_ id: String, brand: String) async throws {
        let brand = try await admin.known(brand)
        guard let key = APIKeyID(id), try await admin.apiKeys.keys(of: brand).contains(where: { $0.id == key }) else {
            throw AdminService.InvalidInput(
                description:
                    "\(brand) has no API key \(id). To see its keys, run: earshot api-key list --brand \(brand)")
        }
        try await admin.allowed { try await admin.apiKeys.revoke(key, of: brand, by: AuditEntry.operator_) }
    }

    /// The longest time of a key in days, which is also what the usual time is counted in.
    public static let mostDays = Int(APIKeyService.longestMs / dayMs)
    /// The usual time of a key in days.
    public static let usualDays = Int(APIKeyService.usualMs / dayMs)

    private static let dayMs: Int64 = 24 * 3600 * 1000
}
