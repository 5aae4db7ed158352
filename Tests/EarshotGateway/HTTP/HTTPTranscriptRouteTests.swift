import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

/// What a transcript holds is tested with a real log, in Tests/EndToEnd/workspace/test_transcript.py.
@Suite struct `A request for a transcript` {
    @Test(arguments: ["format=pdf", "format=", "zone=Nowhere", "zone=GMT%2B2", "zone=%ff", "notes=0", "notes=yes"])
    func `is refused for what cannot be read, and leaves no entry`(query: String) async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let reply = try await gateway.ask(
                "GET", "/v1/conversations/\(consumer.conversation)/transcript?\(query)",
                as: .cookieOnly(try await gateway.brand.agent("dana")))
            #expect(reply.status == 400 && reply.code == "bad_request", "\(reply.text)")
            #expect(await gateway.brand.accounts.entries.isEmpty)
        }
    }

    @Test func `finds nothing in a conversation that has not begun, and leaves no entry`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let reply = try await gateway.ask(
                "GET", "/v1/conversations/\(consumer.conversation)/transcript",
                as: .cookieOnly(try await gateway.brand.agent("dana")))
            #expect(reply.status == 404 && reply.code == "not_found")
            #expect(await gateway.brand.accounts.entries.isEmpty)
        }
    }
}

/// What a bundle holds is tested with a real log and real recordings, in Tests/EndToEnd/workspace/test_evidence.py.
@Suite struct `A request for evidence` {
    @Test func `is refused without the permission, and leaves no entry`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let reply = try await gateway.ask(
                "GET", "/v1/conversations/\(consumer.conversation)/evidence?zone=Nowhere",
                as: .cookieOnly(try await gateway.brand.agent("dana")))
            #expect(reply.status == 403 && reply.code == "forbidden")
            #expect(await gateway.brand.accounts.entries.isEmpty)
        }
    }

    @Test(arguments: [("?zone=Nowhere", 400, "bad_request"), ("", 404, "not_found")])
    func `is refused to a manager for what cannot be read, and leaves no entry`(
        query: String, status: Int, code: String
    ) async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let reply = try await gateway.ask(
                "GET", "/v1/conversations/\(consumer.conversation)/evidence\(query)",
                as: .cookieOnly(try await gateway.brand.agent("mira", role: .administrator)))
            #expect(reply.status == status && reply.code == code, "\(reply.text)")
            #expect(await gateway.brand.accounts.entries.isEmpty)
        }
    }

    @Test(arguments: ["?conversation=", "?conversation=a%20b"])
    func `shares its refusal of a malformed id with the audit log`(query: String) async throws {
        try await TestGateway.run { gateway in
            let reply = try await gateway.ask(
                "GET", "/v1/audit\(query)", as: .cookieOnly(try await gateway.brand.agent("mira", role: .administrator))
            )
            #expect(reply.status == 400 && reply.code == "bad_request", "\(reply.text)")
        }
    }
}
