public import EarshotModel

/// The brands of a server, as the sign-in page may know them.
public enum BrandChoice: Hashable, Sendable {
    /// There is no brand yet.
    case none
    /// There is exactly one: nobody has to name it.
    case one(Account)
    /// There are several. Nobody learns which before signing in.
    case several
}

/// A link that signs one of the brand's people in without a password, once. Only the demo makes such links.
public struct SignInLink: Sendable {
    /// The brand.
    let account: AccountID
    /// The e-mail address of the person.
    let email: String
    /// Uses the link up; `false` if it was used meanwhile.
    let use: @Sendable () -> Bool

    /// Creates a link.
    public init(account: AccountID, email: String, use: @escaping @Sendable () -> Bool) {
        (self.account, self.email, self.use) = (account, email, use)
    }
}

/// What the sign-in page needs besides passwords: which brand it is for, and links that sign in with one click.
public struct SignInPageService: Sendable {
    private let signIn: SignInService

    init(_ signIn: SignInService) {
        self.signIn = signIn
    }

    /// Whether the server has no brand, one, or several.
    public func brands() async throws -> BrandChoice {
        let accounts = try await signIn.accounts.accounts(atMost: 2)
        guard let first = accounts.first else { return .none }
        return accounts.count == 1 ? .one(first) : .several
    }

    /// Signs a person in with a link, and uses the link up. It does not replace a second factor: where the person has
    /// one, the link is refused and stays.
    /// - Parameters:
    ///   - address: the network address, for the audit log.
    ///   - device: the browser and the device, as a short text.
    /// - Throws: `link_invalid`, `suspended`, `second_factor_required`.
    public func enter(_ link: SignInLink, from address: String, device: String?) async throws -> NewSession {
        guard let agent = try await signIn.accounts.agent(email: link.email, of: link.account), !agent.isDisabled,
            let account = try await signIn.accounts.account(link.account)
        else { throw Self.invalid }
        guard !signIn.suspended.contains(account.id) else { throw Rejection.suspended }
        _ = try await signIn.checkCode(nil, of: agent, from: address)
        guard link.use() else { throw Self.invalid }
        let attempt = SignInAttempt(
            account: account.id, email: agent.email, password: "", address: address, device: device)
        return try await signIn.open(agent, account, attempt, isKnown: true, recoveryCodesLeft: nil)
    }

    /// The refusal of a link that is unknown, used or over.
    public static let invalid = Rejection(
        .linkInvalid,
        "This link was used, was replaced or has ended. For new ones, run on the server: earshot demo-links")
}
