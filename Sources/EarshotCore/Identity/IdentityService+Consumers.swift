import EarshotDomain
public import EarshotModel

extension IdentityService {
    /// What a page says of itself when a consumer opens the widget there.
    public struct Arrival: Sendable {
        public let account: AccountID
        public let app: AppID
        public let page: String?
        public let language: String?
        public let device: String?
        /// Of their clock; a name that is none is left away.
        public let zone: String?

        public init(
            account: AccountID, app: AppID, page: String?, language: String?, device: String?, zone: String? = nil
        ) {
            self.account = account
            self.app = app
            self.page = page
            self.language = language
            self.device = device
            self.zone = zone.flatMap { Zone.isKnown($0) ? $0 : nil }
        }
    }

    /// The app, if this origin may embed it. `nil` origin: a client that is no browser.
    public func app(_ app: AppID, of account: AccountID, from origin: String?) async throws -> App {
        guard let app = try await accounts.app(app, of: account) else { throw Rejection.notFound }
        guard !suspensions.contains(account) else { throw Rejection.suspended }
        if let origin, !app.allowedOrigins.contains(origin) {
            throw Rejection(.originRefused, "This site may not use this app. An administrator can allow it.")
        }
        return app
    }

    /// A new anonymous consumer.
    public func welcome(_ arrival: Arrival) async throws -> ConsumerWelcome {
        guard let account = try await accounts.account(arrival.account),
            let app = try await accounts.app(arrival.app, of: arrival.account)
        else { throw Rejection.notFound }
        let id: ConsumerID = environment.id()
        let consumer = Consumer(
            id: id, account: account.id, app: app.id, conversation: environment.id(), since: environment.now(),
            name: Self.visitorName(of: id),
            page: arrival.page, language: arrival.language, device: arrival.device, zone: arrival.zone)
        try await accounts.save(consumer)
        return welcome(consumer.id, consumer.conversation, account: account, app: app.id)
    }

    /// A consumer comes back with its token, which is renewed when it is getting old.
    /// - Parameter zone: of the clock that they read now, where they say it.
    public func welcomeBack(token: String, zone: String? = nil) async throws -> ConsumerWelcome {
        let caller = try consumer(token: token)
        if let zone { try await note(zone, of: caller.id) }
        guard let account = try await accounts.account(caller.account) else { throw Rejection.notSignedIn }
        let age = environment.now().milliseconds - caller.tokenIssued.milliseconds
        guard age > ConsumerTokens.renewAfterMs else {
            return ConsumerWelcome(
                token: token, consumer: caller.id, conversation: caller.conversation, account: account)
        }
        return welcome(caller.id, caller.conversation, account: account, app: caller.app)
    }

    /// - Throws: `not_signed_in`, or `suspended` where the brand is.
    public func consumer(token: String) throws(Rejection) -> ConsumerCaller {
        let caller = try tokens.verify(token, at: environment.now())
        // Not 401: the token is good, and its owner must not throw it away.
        guard !suspensions.contains(caller.account) else { throw .suspended }
        return caller
    }

    /// The card that agents see of a conversation's consumer.
    public func card(of consumer: ConsumerID) async throws -> ConsumerCard {
        guard let consumer = try await accounts.consumer(consumer) else { throw Rejection.notFound }
        return ConsumerCard(
            name: consumer.name, app: consumer.app, since: consumer.since, page: consumer.page,
            language: consumer.language, device: consumer.device)
    }

    /// What stands for the name of somebody who gave none.
    public static func visitorName(of consumer: ConsumerID) -> String {
        "Visitor "
            + consumer.rawValue.lazy.filter { $0.isLetter || $0.isNumber }.prefix(4).map { $0.uppercased() }.joined()
    }

    /// People travel. Whoever travels faster than anybody can keeps the zone that they had.
    private func note(_ zone: String, of id: ConsumerID) async throws {
        guard Zone.isKnown(zone), var consumer = try await accounts.consumer(id), consumer.zone != zone,
            zones.wait(afterTaking: id.rawValue, at: environment.now()) == nil
        else { return }
        consumer.zone = zone
        try await accounts.save(consumer)
    }

    private func welcome(_ consumer: ConsumerID, _ conversation: ConversationID, account: Account, app: AppID)
        -> ConsumerWelcome
    {
        let token = tokens.make(
            consumer: consumer, account: account.id, app: app, conversation: conversation, at: environment.now())
        return ConsumerWelcome(token: token, consumer: consumer, conversation: conversation, account: account)
    }
}
