import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `How long conversations are kept` {
    private static let dayMs: Int64 = 24 * 3600 * 1000

    @Test func `is thirteen months until a manager changes it, with what is due`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let first = try await gateway.ask("GET", "/v1/retention", as: .agent(mona))
            #expect(first.status == 200 && first.json["days"] == .integer(396))
            #expect(first.json["waitsForClock"] == .bool(false))
            #expect(String(decoding: first.body, as: UTF8.self).contains(#""signature":"AQID""#))
            let change = try await gateway.send("PUT", "/v1/retention", as: .agent(mona), #"{"days":30}"#)
            #expect(change.status == 200 && change.json["days"] == .integer(30))
            #expect(
                try await gateway.ask("GET", "/v1/retention", as: .agent(mona)).json["days"] == .integer(30))
            let preview = try await gateway.ask("GET", "/v1/retention?days=7", as: .agent(mona))
            #expect(preview.json["days"] == .integer(30), "a preview changes nothing")
            let now = gateway.brand.clock.now
            #expect(
                await gateway.brand.retention.askedBefore
                    == [396, 30, 7].map { now.adding(milliseconds: -$0 * Self.dayMs) })
            #expect(await gateway.brand.retention.entries.map(\.what) == [.retentionChanged])
            #expect(await gateway.brand.retention.entries.first?.by == mona.id.rawValue)
        }
    }

    @Test func `says that it waits where the clock jumped`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            await gateway.brand.retention.set(known: gateway.brand.clock.now.adding(milliseconds: -2 * Self.dayMs))
            let reply = try await gateway.ask("GET", "/v1/retention", as: .agent(mona))
            #expect(reply.json["waitsForClock"] == .bool(true))
        }
    }

    @Test(arguments: [(0, 422), (1, 200), (3_653, 200), (3_654, 422), (-5, 422)])
    func `is one day to ten years`(days: Int, status: Int) async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let reply = try await gateway.send("PUT", "/v1/retention", as: .agent(mona), #"{"days":\#(days)}"#)
            #expect(reply.status == status)
            if status == 422 { #expect(reply.code == "setting_out_of_range") }
        }
    }

    @Test func `is seen and changed by managers only`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            let consumer = try await gateway.brand.consumer()
            let path = "/v1/conversations/\(consumer.conversation)"
            for (method, path, body) in [
                ("GET", "/v1/retention", ""), ("PUT", "/v1/retention", #"{"days":30}"#),
                ("PUT", path + "/hold", #"{"reason":"x"}"#), ("DELETE", path + "/hold", "{}"),
                ("POST", path + "/erasure", #"{"reason":"x"}"#),
                ("POST", "/v1/erasures", #"{"reason":"x","consumer":"\#(consumer.consumer)"}"#),
            ] {
                let reply =
                    body.isEmpty
                    ? try await gateway.ask(method, path, as: .agent(dana))
                    : try await gateway.send(method, path, as: .agent(dana), body)
                #expect(reply.status == 403 && reply.code == "forbidden", "\(method) \(path)")
                let other =
                    body.isEmpty
                    ? try await gateway.ask(method, path, as: .consumer(consumer.token))
                    : try await gateway.send(method, path, as: .consumer(consumer.token), body)
                #expect(other.status == 401, "\(method) \(path)")
            }
            #expect(await gateway.brand.retention.entries.isEmpty)
        }
    }

    @Test func `does not matter under a legal hold, which forbids erasing too`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let consumer = try await gateway.brand.consumer()
            let path = "/v1/conversations/\(consumer.conversation)"
            let body = #"{"reason":"a lawsuit"}"#
            #expect(try await gateway.send("PUT", path + "/hold", as: .agent(mona), body).status == 204)
            let refused = try await gateway.send("POST", path + "/erasure", as: .agent(mona), body)
            #expect(refused.status == 403 && refused.code == "forbidden")
            let seen = try await gateway.ask("GET", "/v1/retention", as: .agent(mona))
            #expect(String(decoding: seen.body, as: UTF8.self).contains(#""reason":"a lawsuit""#))
            guard case .array(let holds)? = seen.json["holds"] else { return #expect(Bool(false), "\(seen.text)") }
            #expect(holds.first?.member("who") == .string(Consumer.visitorName(of: consumer.consumer)))
            #expect(try await gateway.send("DELETE", path + "/hold", as: .agent(mona), "{}").status == 204)
            #expect(try await gateway.send("POST", path + "/erasure", as: .agent(mona), body).status == 204)
            let requests = await gateway.brand.retention.requests
            #expect(requests.map(\.consumer) == [consumer.consumer] && requests.first?.reason == "a lawsuit")
            #expect(
                await gateway.brand.retention.entries.map(\.what) == [.holdPlaced, .holdLifted, .erasureRequested])
        }
    }

    @Test func `is no matter for consumers who are erased by id or subject, also if they never wrote`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let silent = try await gateway.brand.identity.welcome(
                .init(account: TestBrand.tulip, app: TestBrand.shop, page: nil, language: nil, device: nil))
            let rival = try await gateway.brand.consumer(of: TestBrand.rival)
            func consumer(_ id: String, _ app: String) -> Consumer {
                Consumer(
                    id: ConsumerID(trusted: id), account: TestBrand.tulip, app: AppID(trusted: app),
                    conversation: ConversationID(trusted: "c-" + id), since: gateway.brand.clock.now, name: "Ada",
                    page: nil, language: nil, device: nil, subject: .init(issuer: "i", subject: "ada"))
            }
            for one in [consumer("ada-1", "shop"), consumer("ada-2", "app")] {
                await gateway.brand.accounts.save(one)
            }
            func erase(_ fields: String) async throws -> Reply {
                try await gateway.send("POST", "/v1/erasures", as: .agent(mona), #"{"reason":"asked"\#(fields)}"#)
            }
            let first = try await erase(#","consumer":"\#(silent.consumer)""#)
            #expect(first.status == 200 && first.json["erasures"] == .integer(1))
            let person = try await erase(#","issuer":"i","subject":"ada""#)
            #expect(person.status == 200 && person.json["erasures"] == .integer(2))
            let requests = await gateway.brand.retention.requests
            #expect(
                Set(requests.map(\.conversation.rawValue)) == [silent.conversation.rawValue, "c-ada-1", "c-ada-2"])
            for fields in [
                #","consumer":"\#(rival.consumer)""#, #","consumer":"AAAAAAAAAAAAAAAAAAAAAA""#,
                #","issuer":"i","subject":"bob""#,
            ] {
                let reply = try await erase(fields)
                #expect(reply.status == 404 && reply.code == "not_found", "\(fields)")
            }
            let both = #","consumer":"\#(silent.consumer)","issuer":"i","subject":"ada""#
            for fields in ["", #","issuer":"i""#, #","subject":"ada""#, both] {
                let reply = try await erase(fields)
                #expect(reply.status == 400 && reply.code == "bad_request", "\(fields)")
            }
            await gateway.brand.retention.place(
                LegalHold(
                    conversation: ConversationID(trusted: "c-ada-2"), account: TestBrand.tulip, by: "mona",
                    reason: "a lawsuit", at: gateway.brand.clock.now),
                audit: AuditEntry(
                    account: TestBrand.tulip, at: gateway.brand.clock.now, by: "mona", what: .holdPlaced))
            let held = try await erase(#","issuer":"i","subject":"ada""#)
            #expect(held.status == 403 && held.code == "forbidden")
            #expect(await gateway.brand.retention.requests.count == 3, "if one is held, none is erased")
        }
    }

    @Test(arguments: [" ", String(repeating: "x", count: 501)])
    func `is changed for a conversation with a reason only`(reason: String) async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let consumer = try await gateway.brand.consumer()
            for (method, what) in [("PUT", "hold"), ("POST", "erasure")] {
                let reply = try await gateway.send(
                    method, "/v1/conversations/\(consumer.conversation)/\(what)", as: .agent(mona),
                    #"{"reason":"\#(reason)"}"#)
                #expect(reply.status == 422 && reply.code == "out_of_range", "\(what)")
            }
            #expect(await gateway.brand.retention.entries.isEmpty)
        }
    }
}
