public import EarshotModel

/// Who works for a brand, and whether the brand may work at all. What changes here is in force before it is answered: sessions, tickets and sockets end.
extension IdentityService {
    /// A name has so many characters.
    public static let nameLength = 1...100

    /// Changes one of the brand's people.
    /// - Throws: `not_found`, `forbidden` without the permission, `last_manager`, `bad_request`.
    public func change(_ patch: PersonPatch, of person: AgentID, as manager: AgentCaller) async throws -> Agent {
        guard let known = try await accounts.agent(person), known.account == manager.account else {
            throw Rejection.notFound
        }
        guard manager.may(.changePeople) else { throw Rejection(.forbidden, "Your role does not allow this.") }
        try patch.check()
        let audit = AuditEntry(
            account: manager.account, at: environment.now(), by: manager.id.rawValue, what: .personChanged,
            detail: "\(person) \(patch.summary)")
        let outcome = try await accounts.change(
            PersonChange(account: manager.account, person: person, patch: patch, audit: audit))
        switch outcome {
        case .nobody: throw Rejection.notFound
        case .lastManager: throw Rejection(.lastManager, "Somebody has to be a manager. Make somebody else one first.")
        case .same(let agent): return agent
        case .changed(_, let agent):
            tickets.remove(agent: agent.id)
            sessions.notify { $0.ended(agent.id, mayComeBack: !outcome.endsSessions) }
            try await tell(agent)
            return agent
        }
    }

    /// Of two who change the same person at once, either may come here last: it is told until it is what is stored.
    private func tell(_ agent: Agent) async throws {
        var told = agent
        people.notify { $0.changed(told) }
        while let stored = try await accounts.agent(agent.id), stored != told {
            told = stored
            people.notify { $0.changed(stored) }
        }
    }

    /// Takes over which brands an operator suspended (`earshot suspend`), and ends the sockets of those that are new.
    public func refreshSuspensions() async throws {
        for account in suspensions.replace(by: try await accounts.suspended()) {
            sessions.notify { $0.suspended(account) }
        }
    }

    /// What whoever has a ticket may do now, and until when.
    /// - Throws: `not_signed_in` where the session ended or the person changed since the ticket was given.
    public func confirm(_ ticket: RedeemedTicket) async throws -> (caller: AgentCaller, expires: Timestamp) {
        let now = environment.now()
        guard let agent = try await accounts.agent(ticket.caller.id), !agent.isDisabled, caller(agent) == ticket.caller,
            !suspensions.contains(agent.account)
        else { throw Rejection.notSignedIn }
        guard let digest = ticket.session else {
            return (ticket.caller, now.adding(milliseconds: Self.sessionLifetimeMs))
        }
        guard let session = try await accounts.session(digest, at: now), Self.isGood(session, at: now) else {
            throw Rejection.notSignedIn
        }
        return (ticket.caller, session.expires)
    }

    /// How long something that ends then is good: milliseconds, 0 where it is over.
    public func timeLeft(until expires: Timestamp) -> Int64 {
        max(0, expires.milliseconds - environment.now().milliseconds)
    }

    /// Not over, and not from the future: one that was made while a clock was wrong must not live longer for it.
    static func isGood(_ session: Session, at now: Timestamp) -> Bool {
        session.expires > now
            && session.expires <= now.adding(milliseconds: sessionLifetimeMs + ConsumerTokens.clockSkewMs)
    }
}

extension PersonPatch {
    fileprivate func check() throws(Rejection) {
        if let role, role == .consumer { throw Rejection(.badRequest, "A role is agent or manager.") }
        guard let name else { return }
        guard IdentityService.nameLength.contains(name.count), name.contains(where: { !$0.isWhitespace }) else {
            throw Rejection(
                .badRequest,
                "A name has \(IdentityService.nameLength.lowerBound) to \(IdentityService.nameLength.upperBound) characters."
            )
        }
    }

    /// For the audit log.
    fileprivate var summary: String {
        let parts = [
            role.map { "role=\($0.rawValue)" }, isDisabled.map { "disabled=\($0)" }, name.map { "name=\($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}
