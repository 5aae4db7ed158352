import Crypto
import EarshotCore
import EarshotModel
import Foundation
import Testing

@testable import EarshotGateway

@Suite struct `An upload` {
    private static func begin(_ gateway: TestGateway, _ consumer: ConsumerWelcome, draft: String = "draft") async throws
        -> Reply
    {
        try await gateway.send(
            "POST", "/v1/uploads", as: .consumer(consumer.token),
            "{\"conversation\":\"\(consumer.conversation)\",\"draft\":\"\(draft)\",\"mime\":\"audio/webm;codecs=opus\"}"
        )
    }

    @Test func `is refused where its bytes begin nowhere`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let upload = try #require(try await Self.begin(gateway, consumer).json.text("upload"))
            for query in [
                "", "?offset=", "?offset=-1", "?offset=+1", "?offset=1e3", "?offset=0&offset=0", "?offset=%30",
                "?offset=99999999999999999999",
            ] {
                let reply = try await gateway.ask(
                    "PATCH", "/v1/uploads/\(upload)\(query)", as: .consumer(consumer.token), body: [1])
                #expect(reply.status == 400, "\(query)")
                #expect(reply.code == "bad_request", "\(query)")
            }
        }
    }

    @Test func `with a gap says how much was received`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let upload = try #require(try await Self.begin(gateway, consumer).json.text("upload"))
            _ = try await gateway.ask(
                "PATCH", "/v1/uploads/\(upload)?offset=0", as: .consumer(consumer.token), body: [1, 2, 3])
            let reply = try await gateway.ask(
                "PATCH", "/v1/uploads/\(upload)?offset=4", as: .consumer(consumer.token), body: [5])
            #expect(reply.status == 409)
            #expect(reply.code == "upload_gap")
            guard case .object(let error)? = reply.json["error"] else { throw Missing("no error") }
            #expect(error["received"] == .integer(3))
            #expect(error["limit"] == nil)
        }
    }

    @Test func `is begun once for a draft, and tells how much it has`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let first = try await Self.begin(gateway, consumer)
            #expect(first.status == 201)
            #expect(first.json["received"] == .integer(0))
            let upload = try #require(first.json.text("upload"))
            _ = try await gateway.ask(
                "PATCH", "/v1/uploads/\(upload)?offset=0", as: .consumer(consumer.token), body: [1, 2, 3])
            let again = try await Self.begin(gateway, consumer)
            #expect(again.status == 200)
            #expect(again.json == ["upload": .string(upload), "received": .integer(3)])
            let status = try await gateway.ask("GET", "/v1/uploads/\(upload)", as: .consumer(consumer.token))
            #expect(status.json == ["received": .integer(3), "finished": .bool(false)])
        }
    }

    @Test func `arrives byte for byte, in pieces of at most 64 KiB, and is finished once and again`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let upload = try #require(try await Self.begin(gateway, consumer).json.text("upload"))
            let bytes = (0..<200_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let first = try await gateway.ask(
                "PATCH", "/v1/uploads/\(upload)?offset=0", as: .consumer(consumer.token),
                body: Array(bytes.prefix(150_000)))
            #expect(first.json == ["received": .integer(150_000)])
            // The client did not hear that and sends some of it once more.
            let second = try await gateway.ask(
                "PATCH", "/v1/uploads/\(upload)?offset=140000", as: .consumer(consumer.token),
                body: Array(bytes.dropFirst(140_000)))
            #expect(second.json == ["received": .integer(200_001)])
            #expect(await gateway.brand.cassette.bytes(of: UploadID(trusted: upload)) == bytes)
            #expect(await gateway.brand.cassette.pieces.max() == 65_536)
            for _ in 1...2 {
                let reply = try await gateway.send(
                    "POST", "/v1/uploads/\(upload)/finish", as: .consumer(consumer.token), "{\"bytes\":200001}")
                #expect(reply.status == 200)
                #expect(Set(reply.json.keys) == ["media", "ms", "wave", "bytes"])
                #expect(reply.json["bytes"] == .integer(200_001))
            }
        }
    }

    @Test func `of at most one megabyte at a time: at the limit, and a byte more`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let upload = try #require(try await Self.begin(gateway, consumer).json.text("upload"))
            let whole = [UInt8](repeating: 1, count: Limits.uploadChunkBytes)
            let path = "/v1/uploads/\(upload)?offset=0"
            #expect(
                try await gateway.ask("PATCH", path, as: .consumer(consumer.token), body: whole).json == [
                    "received": .integer(1_048_576)
                ])
            let more = try await gateway.ask("PATCH", path, as: .consumer(consumer.token), body: whole + [1])
            #expect(more.status == 413)
            guard case .object(let error)? = more.json["error"] else { throw Missing("no error") }
            #expect(error["limit"] == .integer(1_048_576))
        }
    }

    @Test func `that is aborted leaves nothing`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let upload = try #require(try await Self.begin(gateway, consumer).json.text("upload"))
            #expect(
                try await gateway.ask("DELETE", "/v1/uploads/\(upload)", as: .consumer(consumer.token)).status == 204)
            #expect(try await gateway.ask("GET", "/v1/uploads/\(upload)", as: .consumer(consumer.token)).status == 404)
        }
    }

    @Test func `that is finished can be thrown away, until it is sent`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let caller = Credentials.consumer(consumer.token)
            let upload = try #require(try await Self.begin(gateway, consumer).json.text("upload"))
            _ = try await gateway.ask("PATCH", "/v1/uploads/\(upload)?offset=0", as: caller, body: [1, 2, 3])
            let finish = "/v1/uploads/\(upload)/finish"
            #expect(try await gateway.send("POST", finish, as: caller, "{\"bytes\":3}").status == 200)
            let other = Credentials.consumer(try await gateway.brand.consumer().token)
            #expect(try await gateway.ask("DELETE", "/v1/uploads/\(upload)", as: other).status == 404)
            #expect(try await gateway.ask("DELETE", "/v1/uploads/\(upload)", as: caller).status == 204)
            #expect(try await gateway.ask("GET", "/v1/uploads/\(upload)", as: caller).status == 404)
            let again = try #require(try await Self.begin(gateway, consumer).json.text("upload"))
            _ = try await gateway.ask("PATCH", "/v1/uploads/\(again)?offset=0", as: caller, body: [1, 2, 3])
            let media = try await gateway.send("POST", "/v1/uploads/\(again)/finish", as: caller, "{\"bytes\":3}")
            await gateway.brand.accounts.send(MediaID(trusted: try #require(media.json.text("media"))))
            let refused = try await gateway.ask("DELETE", "/v1/uploads/\(again)", as: caller)
            #expect(refused.status == 409 && refused.code == "upload_sent")
        }
    }

    @Test func `is listed until it is finished, with the time of its removal`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let caller = Credentials.consumer(consumer.token)
            let begun = gateway.brand.clock.now
            let upload = try #require(try await Self.begin(gateway, consumer).json.text("upload"))
            _ = try await gateway.ask("PATCH", "/v1/uploads/\(upload)?offset=0", as: caller, body: [1, 2, 3])
            let listed = try await gateway.ask("GET", "/v1/uploads", as: caller)
            let expires = begun.milliseconds + Limits.unsentRecordingMs
            #expect(
                listed.json == [
                    "uploads": .array([
                        .object([
                            "upload": .string(upload), "conversation": .string(consumer.conversation.rawValue),
                            "draft": .string("draft"), "received": .integer(3), "expires": .integer(Int(expires)),
                        ])
                    ])
                ])
            let other = Credentials.consumer(try await gateway.brand.consumer().token)
            #expect(try await gateway.ask("GET", "/v1/uploads", as: other).json == ["uploads": .array([])])
        }
    }

    @Test func `keeps a chunk only if it has the digest that the request states`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let caller = Credentials.consumer(consumer.token)
            let upload = try #require(try await Self.begin(gateway, consumer).json.text("upload"))
            let path = "/v1/uploads/\(upload)?offset=0"
            let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let digest = Data(SHA256.hash(data: bytes)).base64EncodedString()
            func patch(_ bytes: [UInt8], _ digest: String) async throws -> Reply {
                try await gateway.ask("PATCH", path, as: caller, headers: [("content-digest", digest)], body: bytes)
            }
            let damaged = try await patch([bytes[0] ^ 1] + bytes.dropFirst(), "sha-256=:\(digest):")
            #expect(damaged.status == 400 && damaged.code == "digest_mismatch")
            #expect(await gateway.brand.cassette.bytes(of: UploadID(trusted: upload)) == [], "nothing of it is kept")
            for wrong in ["sha-256=:abc:", "sha-256=::", "sha-256=:\(digest.dropLast(8)):"] {
                #expect(try await patch(bytes, wrong).code == "bad_request", "\(wrong)")
            }
            let whole = try await patch(bytes, "md5=:AAAA:, sha-256=:\(digest):")
            #expect(whole.json == ["received": .integer(150_000)])
            #expect(try await patch([1], "md5=:AAAA:").status == 200, "an algorithm that we do not know is ignored")
        }
    }

    @Test(arguments: ["", "zz", String(repeating: "g", count: 64), String(repeating: "a", count: 63)])
    func `is not finished with a digest that is none`(digest: String) async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let upload = try #require(try await Self.begin(gateway, consumer).json.text("upload"))
            let reply = try await gateway.send(
                "POST", "/v1/uploads/\(upload)/finish", as: .consumer(consumer.token),
                "{\"bytes\":3,\"sha256\":\"\(digest)\"}")
            #expect(reply.status == 400 && reply.code == "bad_request")
        }
    }

    @Test func `may be started twenty times at once by one person, then every three seconds`() async throws {
        try await TestGateway.run(allowances: .init()) { gateway in
            let consumer = try await gateway.brand.consumer()
            let other = try await gateway.brand.consumer()
            for number in 1...20 { #expect(try await Self.begin(gateway, consumer, draft: "d\(number)").status == 201) }
            let refused = try await Self.begin(gateway, consumer, draft: "d21")
            #expect(refused.status == 429)
            #expect(refused["retry-after"] == "3")
            #expect(try await Self.begin(gateway, other).status == 201)
            gateway.brand.clock.advance(milliseconds: 3000)
            #expect(try await Self.begin(gateway, consumer, draft: "d22").status == 201)
        }
    }
}
