import EarshotModel
import FoundationEssentials
import NIOCore
import NIOPosix
import NIOSSL

@testable import EarshotGateway

/// Bytes to a socket and back, nothing in between.
enum Wire {
    typealias Inbound = NIOAsyncChannelInboundStream<ByteBuffer>
    typealias Outbound = NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// Sends these bytes and reads until the server closes.
    static func exchange(_ port: Int, _ bytes: [UInt8], tls: NIOSSLContext? = nil) async throws -> [UInt8] {
        try await connect(port, tls: tls) { inbound, outbound in
            // The server may answer and close before it took everything.
            try? await outbound.write(ByteBuffer(bytes: bytes))
            return try await rest(of: inbound)
        }
    }

    /// Opens a connection for as long as `body` runs.
    static func connect<Value: Sendable>(
        _ port: Int, tls: NIOSSLContext? = nil, _ body: @escaping @Sendable (Inbound, Outbound) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: "localhost"))
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose(body)
    }

    /// What comes until the end of the connection.
    static func rest(of inbound: Inbound) async throws -> [UInt8] {
        var received: [UInt8] = []
        do {
            for try await buffer in inbound { received.append(contentsOf: buffer.readableBytesView) }
        } catch is IOError {
        } catch NIOSSLError.uncleanShutdown {}
        return received
    }

    static func exchange(_ port: Int, _ text: String) async throws -> Reply {
        try Reply(try await exchange(port, Array(text.utf8)))
    }
}

/// An answer, as it came.
struct Reply: Sendable {
    let status: Int
    /// Names in lower case.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: Unicode.ASCII.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { throw Broken(bytes: bytes) }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        guard let first = lines.first, let status = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw Broken(bytes: bytes) }
        self.status = status
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        let from = text.utf8.distance(from: text.startIndex, to: end.upperBound)
        body = Array(bytes.dropFirst(from))
    }

    subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON.
    var json: [String: JSONValue] {
        guard case .object(let object)? = try? StrictJSON.parse(body) else { return [:] }
        return object
    }

    /// The code of a refusal.
    var code: String? {
        guard case .object(let error)? = json["error"], case .string(let code)? = error["code"] else { return nil }
        return code
    }

    struct Broken: Error {
        let bytes: [UInt8]
    }
}

extension JSONValue {
    /// A member of an object.
    subscript(name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }
}

extension [String: JSONValue] {
    func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }
}

/// What a test needed to go on was not there.
struct Missing: Error {
    let what: String

    init(_ what: String) {
        self.what = what
    }
}
