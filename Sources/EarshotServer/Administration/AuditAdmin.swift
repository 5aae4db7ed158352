import EarshotCore
import EarshotModel

/// Performs the operator's commands about audit logs.
public struct AuditAdmin: Sendable {
    private let admin: AdminService

    /// Works with this installation.
    public init(_ admin: AdminService) {
        self.admin = admin
    }

    /// What a check of a brand's audit log found, as a line for people.
    public struct Check: Sendable {
        /// Whether every entry is what was written.
        public let isIntact: Bool
        /// The brand, the result and the hash of the newest entry, divided by tabs.
        public let line: String

        init(_ brand: AccountID, _ found: AuditVerification) {
            isIntact = found.isIntact
            let result =
                if let broken = found.firstBroken {
                    "NOT INTACT: entry \(broken) or one before it was changed or removed"
                } else if !found.holdsKnown {
                    "NOT INTACT: no entry has the hash that --known names"
                } else {
                    "intact, entries: \(found.entries)"
                }
            line = [brand.rawValue, result, Base64URL.encode(found.head)].joined(separator: "\t")
        }
    }

    /// Checks the audit logs of one brand, or of all.
    /// - Parameter known: the hash of an entry that must be there, as a line of this check shows it.
    /// - Throws: `AdminService.InvalidInput`.
    public func verify(brand: String?, known: String?) async throws -> [Check] {
        var hash: [UInt8]?
        if let known {
            guard let bytes = Base64URL.decode(known), bytes.count == 32 else {
                throw AdminService.InvalidInput(description: "--known must be a hash as this command prints it.")
            }
            hash = bytes
        }
        let brands =
            if let brand { [try await admin.known(brand)] } else { try await admin.installation.accounts().map(\.id) }
        var checks: [Check] = []
        for brand in brands {
            checks.append(Check(brand, try await admin.accounts.verifyAudit(of: brand, known: hash)))
        }
        return checks
    }
}
