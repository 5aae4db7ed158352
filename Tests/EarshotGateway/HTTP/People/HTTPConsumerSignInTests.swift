import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation
import Testing

@testable import EarshotGateway

@Suite struct `A consumer who signs in` {
    private static let path = "/v1/consumers/sign-in"

    private static func body(_ token: String, device: String? = nil, app: String = "shop") throws -> String {
        var fields = ["account": "tulip", "app": app, "idToken": token, "page": "https://shop.example/basket"]
        fields["device"] = device
        return String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
    }

    /// Runs a gateway whose brand has a provider.
    private static func run(
        _ body: @escaping @Sendable (TestGateway, BrandProvider, SignedInAgent) async throws -> Void
    ) async throws {
        try await TestGateway.run { gateway in
            let (provider, mona) = (BrandProvider(), try await gateway.brand.agent("mona", role: .administrator))
            let setting = try provider.setting(claims: [["claim": "tier", "label": "Tier"]])
            let saved = try await gateway.send("PUT", "/v1/identity-provider", as: .agent(mona), setting)
            #expect(saved.status == 200)
            try await body(gateway, provider, mona)
        }
    }

    @Test func `has one conversation on every device, apart from the anonymous one`() async throws {
        try await Self.run { gateway, provider, _ in
            let anonymous = try await gateway.brand.consumer()
            let now = gateway.brand.clock.now
            let claims: [String: Any] = [
                "name": "Ada L", "email": "ada@mail.example", "email_verified": false, "phone_number": "+43 1 234",
                "tier": 3,
            ]
            let first = try await gateway.send(
                "POST", Self.path, Self.body(provider.token("ada", at: now, claims), device: anonymous.token))
            #expect(first.status == 200 && first.json["expiresIn"] == .integer(300))
            let second = try await gateway.send(
                "POST", Self.path, Self.body(provider.token("ada", at: now, claims)))
            #expect(first.json["conversation"] == second.json["conversation"])
            #expect(first.json.text("conversation") != anonymous.conversation.rawValue)
            let token = try #require(first.json.text("token"))
            let caller = try gateway.brand.identity.consumer(token: token)
            let card = try await gateway.brand.identity.card(
                of: caller.id, for: .agent(SocketRig.agent), by: gateway.brand.core.access)
            #expect(card.name == "Ada L" && card.page == "https://shop.example/basket")
            #expect(
                card.verified
                    == VerifiedClaims(
                        name: "Ada L", email: nil, phone: nil,
                        others: [
                            .init(label: "E-mail (stated, not verified)", value: "ada@mail.example"),
                            .init(label: "Phone (stated, not verified)", value: "+43 1 234"),
                            .init(label: "Tier", value: "3"),
                        ]))
            #expect(card.related?.map(\.conversation) == [anonymous.conversation])
            let other = try await gateway.brand.identity.card(
                of: anonymous.consumer, for: .agent(SocketRig.agent), by: gateway.brand.core.access)
            #expect(other.verified == nil && other.related?.map(\.signedIn) == [true])
        }
    }

    @Test func `cannot read the anonymous conversation, nor the reverse`() async throws {
        try await Self.run { gateway, provider, _ in
            let anonymous = try await gateway.brand.consumer()
            let reply = try await gateway.send(
                "POST", Self.path,
                Self.body(provider.token("ada", at: gateway.brand.clock.now), device: anonymous.token))
            let token = try #require(reply.json.text("token"))
            let conversation = try #require(reply.json.text("conversation"))
            let access = ConversationAccess(conversations: gateway.brand.log)
            let signedIn = try gateway.brand.identity.consumer(token: token)
            let visitor = try gateway.brand.identity.consumer(token: anonymous.token)
            await #expect(throws: Rejection.notFound) {
                try await access.open(anonymous.conversation, as: .consumer(signedIn))
            }
            await #expect(throws: Rejection.notFound) {
                try await access.open(ConversationID(trusted: conversation), as: .consumer(visitor))
            }
        }
    }

    @Test func `is signed out when the ID token ends, and gets no longer token without a fresh one`() async throws {
        try await Self.run { gateway, provider, _ in
            let reply = try await gateway.send(
                "POST", Self.path, Self.body(provider.token("ada", at: gateway.brand.clock.now)))
            let token = try #require(reply.json.text("token"))
            gateway.brand.clock.advance(milliseconds: 299_000)
            let back = try await gateway.send("POST", "/v1/consumers/me", as: .consumer(token), "{}")
            #expect(back.status == 200 && back.json.text("token") == token && back.json["expiresIn"] == .integer(1))
            gateway.brand.clock.advance(milliseconds: 1_000)
            let late = try await gateway.send("POST", "/v1/consumers/me", as: .consumer(token), "{}")
            #expect(late.status == 401 && late.code == "not_signed_in")
        }
    }

    @Test func `is refused with a reason, which the audit log has once an hour`() async throws {
        try await Self.run { gateway, provider, mona in
            let now = gateway.brand.clock.now
            let seconds = now.milliseconds / 1000
            let good = try provider.token("ada", at: now)
            let bad: [(String, String)] = [
                ("id_token_malformed", "x"), ("id_token_signature_wrong", String(good.dropLast(2)) + "AA"),
                ("id_token_signature_wrong", try BrandProvider().token("ada", at: now)),
                ("id_token_expired", try provider.token("ada", at: now, ["exp": seconds, "iat": seconds - 60])),
                ("id_token_audience_wrong", try provider.token("ada", at: now, ["aud": "another"])),
                ("id_token_issuer_wrong", try provider.token("ada", at: now, ["iss": "https://evil.example"])),
                ("id_token_too_large", String(repeating: "a", count: 16 * 1024)),
            ]
            for (reason, token) in bad + bad where reason != "id_token_too_large" {
                let reply = try await gateway.send("POST", Self.path, Self.body(token))
                #expect(reply.status == 401 && reply.code == "id_token_refused", "\(reason)")
                let text = String(decoding: reply.body, as: UTF8.self)
                #expect(!text.contains("id_token_m") && !text.contains(reason), "the client learns no reason")
                #expect(text.contains("audit log"), "who may know it learns where it is")
            }
            let log = try await gateway.ask("GET", "/v1/audit?what=consumer.signInFailed", as: .agent(mona))
            let text = String(decoding: log.body, as: UTF8.self)
            let reasons = Set(bad.map(\.0)).subtracting(["id_token_too_large"])
            for reason in reasons {
                #expect(text.components(separatedBy: "\"\(reason)\"").count == 2, "\(reason)")
            }
            let tooLong = String(repeating: "a", count: 16 * 1024 + 1)
            let long = try await gateway.send("POST", Self.path, Self.body(tooLong))
            #expect(long.status == 400)
            #expect(await gateway.brand.accounts.allConsumers.isEmpty)
        }
    }

    @Test func `who is refused from ever more addresses adds a bounded number of entries an hour`() async throws {
        try await Self.run { gateway, _, _ in
            let signIn = gateway.brand.identity.consumerSignIn
            func refuse(_ peer: Int) async throws {
                for token in ["x", try BrandProvider().token("ada", at: gateway.brand.clock.now)] {
                    await #expect(throws: Rejection.self) {
                        try await signIn.signIn(
                            .init(
                                .init(
                                    account: TestBrand.tulip, app: TestBrand.shop, page: nil, language: nil,
                                    device: nil), idToken: token, device: nil, address: "2001:db8:\(peer)::1"))
                    }
                }
            }
            func entries() async -> [AuditEntry] {
                await gateway.brand.accounts.entries.filter { $0.what == .consumerSignInFailed }
            }
            func unrecorded() -> Double {
                signIn.metrics.flatMap(\.family.samples).reduce(0) { $0 + $1.value }
            }
            for peer in 1...20 { try await refuse(peer) }
            let (atLimit, none) = (await entries().count, unrecorded())
            #expect(atLimit == 2 * 20 && none == 0, "20 addresses for each of the two reasons")
            for peer in 21...200 { try await refuse(peer) }
            let all = await entries()
            #expect(all.count == 2 * 21, "one more says that there are others")
            #expect(all.count { $0.detail?.hasSuffix(", and others") == true && $0.address == nil } == 2)
            #expect(unrecorded() == 2 * 180)
            try await refuse(3)
            #expect(unrecorded() == 2 * 180, "an address with an entry is not counted")
            gateway.brand.clock.advance(milliseconds: 3_600_000)
            try await refuse(200)
            let next = await entries().count
            #expect(next == 2 * 21 + 2, "the next hour begins again")
        }
    }

    @Test func `can be tried with a pasted token, which signs no one in`() async throws {
        try await Self.run { gateway, provider, mona in
            let now = gateway.brand.clock.now
            let seconds = Int(now.milliseconds / 1000)
            func check(_ token: String) async throws -> Reply {
                try await gateway.send(
                    "POST", "/v1/identity-provider/check", as: .agent(mona), "{\"idToken\":\"\(token)\"}")
            }
            let good = try provider.token("ada", at: now, ["name": "Ada L", "tier": 3, "nbf": seconds])
            let seen = try await check(good + "\\n")
            #expect(seen.status == 200 && seen.json["accepted"] == .bool(true) && seen.json["reason"] == nil)
            #expect(seen.json.text("issuer") == BrandProvider.issuer && seen.json.text("subject") == "ada")
            #expect(seen.json["audiences"] == .array([.string(BrandProvider.audience)]))
            #expect(seen.json["issued"] == .integer(seconds * 1000))
            #expect(seen.json["notBefore"] == .integer(seconds * 1000))
            #expect(seen.json["expires"] == .integer((seconds + 300) * 1000))
            #expect(seen.json.text("algorithm") == "ES256" && seen.json["keyKnown"] == .bool(true))
            #expect(seen.json["claims"]?.member("name") == .string("Ada L"))
            let bad: [(String, String)] = [
                ("id_token_malformed", "x"), ("id_token_signature_wrong", String(good.dropLast(2)) + "AA"),
                ("id_token_expired", try provider.token("ada", at: now, ["exp": seconds, "iat": seconds - 60])),
                ("id_token_audience_wrong", try provider.token("ada", at: now, ["aud": ["another", "third"]])),
                ("id_token_issuer_wrong", try provider.token("ada", at: now, ["iss": BrandProvider.issuer + "/"])),
                ("id_token_too_large", String(repeating: "a", count: 16 * 1024 + 1)),
            ]
            for (reason, token) in bad {
                let reply = try await check(token)
                #expect(reply.status == 200 && reply.json["accepted"] == .bool(false), "\(reason)")
                #expect(reply.json.text("reason") == reason && reply.json["claims"] == nil, "\(reply.text)")
            }
            let other = try await check(bad[3].1)
            let audiences = JSONValue.array([.string("another"), .string("third")])
            #expect(other.json["audiences"] == audiences, "what a refused one says")
            let longIssuer = String(repeating: "i", count: 301)
            let long = try await check(try provider.token("ada", at: now, ["iss": longIssuer]))
            #expect(long.json.text("issuer") == String(repeating: "i", count: 300) + "…")
            let limit = try await check(String(repeating: "a", count: 64 * 1024))
            #expect(limit.json.text("reason") == "id_token_too_large")
            #expect(try await check(String(repeating: "a", count: 64 * 1024 + 1)).status == 400)
            #expect(await gateway.brand.accounts.allConsumers.isEmpty, "no one was signed in")
            #expect(await gateway.brand.accounts.entries.allSatisfy { $0.what != .consumerSignInFailed })
            let state = try await gateway.ask("GET", "/v1/identity-provider", as: .agent(mona))
            #expect(state.json["refusals"] == .array([]), "what a manager tried is no refusal")
            let dana = try await gateway.brand.agent("dana")
            let body = "{\"idToken\":\"x\"}"
            let denied = try await gateway.send("POST", "/v1/identity-provider/check", as: .agent(dana), body)
            #expect(denied.status == 403 && denied.code == "forbidden")
            _ = try await gateway.send("DELETE", "/v1/identity-provider", as: .agent(mona), "{}")
            let without = try await check("x")
            #expect(without.status == 409 && without.code == "sign_in_not_set_up")
        }
    }

    @Test func `leaves behind when a key was used, and how many were refused for which reason`() async throws {
        try await Self.run { gateway, provider, mona in
            func state() async throws -> Reply {
                try await gateway.ask("GET", "/v1/identity-provider", as: .agent(mona))
            }
            let began = gateway.brand.clock.now
            let first = try await state()
            #expect(first.json["provider"]?.member("keysSince") == .integer(Int(began.milliseconds)))
            gateway.brand.clock.advance(milliseconds: 5_000)
            let now = gateway.brand.clock.now
            for token in ["x", "y", try BrandProvider().token("ada", at: now)] {
                _ = try await gateway.send("POST", Self.path, Self.body(token))
            }
            _ = try await gateway.send("POST", Self.path, Self.body(provider.token("ada", at: now)))
            let reply = try await state()
            func refusals(_ reason: String, _ count: Int) -> JSONValue {
                .object(["reason": .string(reason), "count": .integer(count), "last": .integer(Int(now.milliseconds))])
            }
            #expect(
                reply.json["refusals"]
                    == .array([refusals("id_token_malformed", 2), refusals("id_token_signature_wrong", 1)]))
            guard case .array(let keys)? = reply.json["provider"]?.member("usable") else {
                return #expect(Bool(false), "\(reply.text)")
            }
            #expect(keys.map { $0.member("used") } == [.integer(Int(now.milliseconds))])
            #expect(!reply.text.contains("ada"), "nothing of a token is kept")
            let same = try provider.setting(claims: [])
            let again = try await gateway.send("PUT", "/v1/identity-provider", as: .agent(mona), same)
            #expect(again.json["provider"]?.member("keysSince") == .integer(Int(began.milliseconds)), "the same keys")
            let other = try BrandProvider().setting()
            let changed = try await gateway.send("PUT", "/v1/identity-provider", as: .agent(mona), other)
            #expect(changed.json["provider"]?.member("keysSince") == .integer(Int(now.milliseconds)))
            #expect(changed.json["refusals"] == .array([]), "those of the old keys are forgotten")
        }
    }

    @Test(
        arguments: [
            ("true", false, true), ("\"true\"", false, true), ("false", false, false), ("\"false\"", false, false),
            ("1", false, false), ("null", false, false), (nil, false, false), (nil, true, true), ("false", true, false),
            ("\"false\"", true, false), ("true", true, true),
        ] as [(String?, Bool, Bool)])
    func `has a verified address only if the provider says so`(flag: String?, verifiesAll: Bool, isVerified: Bool)
        async throws
    {
        try await TestGateway.run { gateway in
            let (provider, mona) = (BrandProvider(), try await gateway.brand.agent("mona", role: .administrator))
            let setting = try provider.setting().dropLast() + ",\"verifiesContacts\":\(verifiesAll)}"
            let saved = try await gateway.send("PUT", "/v1/identity-provider", as: .agent(mona), String(setting))
            #expect(saved.status == 200)
            #expect(String(decoding: saved.body, as: UTF8.self).contains("\"verifiesContacts\":\(verifiesAll)"))
            var claims: [String: Any] = ["email": "ada@mail.example", "phone_number": "+43 1 234"]
            if let flag {
                let value = try JSONSerialization.jsonObject(with: Data(flag.utf8), options: .fragmentsAllowed)
                (claims["email_verified"], claims["phone_number_verified"]) = (value, value)
            }
            let token = try provider.token("ada", at: gateway.brand.clock.now, claims)
            let reply = try await gateway.send("POST", Self.path, Self.body(token))
            let caller = try gateway.brand.identity.consumer(token: try #require(reply.json.text("token")))
            let (brand, viewer) = (gateway.brand, Caller.consumer(caller))
            let verified = try await brand.identity.card(of: caller.id, for: viewer, by: brand.core.access).verified
            #expect(verified?.email == (isVerified ? "ada@mail.example" : nil))
            #expect(verified?.phone == (isVerified ? "+43 1 234" : nil))
            #expect(verified?.others.map(\.value) == (isVerified ? [] : ["ada@mail.example", "+43 1 234"]))
        }
    }

    @Test func `is refused where the brand has no provider, blocked them, or does not have the app`() async throws {
        try await Self.run { gateway, provider, mona in
            let now = gateway.brand.clock.now
            let other = try await gateway.send(
                "POST", Self.path, Self.body(provider.token("ada", at: now), app: "none"))
            #expect(other.status == 404)
            let reply = try await gateway.send("POST", Self.path, Self.body(provider.token("ada", at: now)))
            let conversation = try #require(reply.json.text("conversation"))
            let consumer = try gateway.brand.identity.consumer(token: reply.json.text("token") ?? "")
            gateway.brand.log.add(
                ConversationIdentity(
                    id: consumer.conversation, account: consumer.account, app: consumer.app, consumer: consumer.id,
                    channel: .web))
            let block = try await gateway.send(
                "PUT", "/v1/conversations/\(conversation)/block", as: .agent(mona), #"{"blocked":true}"#)
            #expect(block.status < 300)
            let blocked = try await gateway.send("POST", Self.path, Self.body(provider.token("ada", at: now)))
            #expect(blocked.status == 403 && blocked.code == "blocked")
            let removed = try await gateway.send("DELETE", "/v1/identity-provider", as: .agent(mona), "{}")
            #expect(removed.status == 204)
            let without = try await gateway.send("POST", Self.path, Self.body(provider.token("bob", at: now)))
            #expect(without.status == 409 && without.code == "sign_in_not_set_up")
        }
    }

    @Test func `may show a token that is encrypted for the brand's key, which stays when the provider is saved again`()
        async throws
    {
        try await Self.run { gateway, provider, mona in
            let shown = try await gateway.ask("GET", "/v1/identity-provider", as: .agent(mona))
            guard case .object(let saved)? = shown.json["provider"], case .object(let key)? = saved["encryptionKey"],
                let x = key["x"]?.text, let y = key["y"]?.text
            else { return #expect(Bool(false), "no key") }
            let token = try provider.token("ada", at: gateway.brand.clock.now)
            let encrypted = try BrandProvider.encrypted(token, x: x, y: y)
            _ = try await gateway.send("PUT", "/v1/identity-provider", as: .agent(mona), provider.setting())
            let opened = try await gateway.send("POST", Self.path, Self.body(encrypted))
            let plain = try await gateway.send("POST", Self.path, Self.body(token))
            #expect(opened.status == 200 && opened.json["consumer"] == plain.json["consumer"])
            let forged = try BrandProvider.encrypted(
                BrandProvider().token("ada", at: gateway.brand.clock.now), x: x, y: y)
            let refused = try await gateway.send("POST", Self.path, Self.body(forged))
            #expect(refused.code == "id_token_refused", "encryption proves nothing about the sender")
        }
    }

    @Test func `needs a provider that a manager saved with public keys`() async throws {
        try await TestGateway.run { gateway in
            let provider = BrandProvider()
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let dana = try await gateway.brand.agent("dana")
            let path = "/v1/identity-provider"
            for (method, body) in [("GET", ""), ("PUT", try provider.setting()), ("DELETE", "{}")] {
                let reply =
                    body.isEmpty
                    ? try await gateway.ask(method, path, as: .agent(dana))
                    : try await gateway.send(method, path, as: .agent(dana), body)
                #expect(reply.status == 403 && reply.code == "forbidden", "\(method)")
            }
            for (keys, reason) in [
                (provider.privateKey, "key_private"), ("{}", "keys_malformed"), ("nothing", "keys_malformed"),
            ] {
                let reply = try await gateway.send("PUT", path, as: .agent(mona), provider.setting(keys: keys))
                #expect(reply.status == 422 && reply.code == "provider_keys_refused", "\(reason)")
                #expect(String(decoding: reply.body, as: UTF8.self).contains(reason), "\(reason)")
            }
            #expect(try await gateway.ask("GET", path, as: .agent(mona)).json["provider"] == nil)
            let claims = (0..<20).map { ["claim": "c\($0)", "label": "C"] }
            let most = try await gateway.send("PUT", path, as: .agent(mona), provider.setting(claims: claims))
            #expect(most.status == 200)
            for wrong in [claims + [["claim": "c20", "label": "C"]], [["claim": "", "label": "C"]]] {
                let reply = try await gateway.send("PUT", path, as: .agent(mona), provider.setting(claims: wrong))
                #expect(reply.status == 422 && reply.code == "out_of_range")
            }
            let shown = try await gateway.ask("GET", path, as: .agent(mona))
            let text = String(decoding: shown.body, as: UTF8.self)
            #expect(text.contains("ES256") && text.contains(BrandProvider.issuer))
        }
    }
}
