import Glibc
import NIOCore
import NIOPosix

/// One question to clamd: a new connection, `INSTREAM`, the bytes, one answer.
///
/// Sessions are short: bytes are collected in the upload's file first, because clamd stops answering while as many
/// connections are open as its `MaxQueue` (100 by default), and closes one that is idle for 120 s. Whatever clamd does,
/// there is an answer within `limit`.
struct ScanSession: Sendable {
    let address: ScannerAddress
    let limit: Duration

    /// Asks about `prefix` and then the source's bytes.
    func ask(_ source: ScanSource, prefix: [UInt8] = []) async -> ScanReply {
        let connection: Connection
        do { connection = try await connect() } catch { return .unreachable("no connection: \(error)") }
        let timeout = connection.channel.eventLoop.scheduleTask(in: TimeAmount(limit)) {
            connection.channel.pipeline.fireErrorCaught(ScanTimeout())
        }
        defer { timeout.cancel() }
        return await withTaskCancellationHandler {
            do {
                try await send(source, prefix, to: connection.channel)
            } catch let failure as FileFailure {
                connection.channel.close(promise: nil)
                return .inconclusive("\(failure.asAdapterFailure)")
            } catch {
                // clamd may have answered already, for example that there are too many bytes.
                connection.channel.close(promise: nil)
            }
            let reply = try? await connection.reply.get()
            connection.channel.close(promise: nil)
            return reply ?? .unreachable("no answer")
        } onCancel: {
            connection.channel.close(promise: nil)
        }
    }

    private struct Connection: Sendable {
        let channel: any Channel
        let reply: EventLoopFuture<ScanReply>
    }

    private func connect() async throws -> Connection {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(TimeAmount(limit))
        switch address.place {
        case .unix(let path):
            return try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: Self.prepare)
        case .tcp(let host, let port):
            return try await bootstrap.connect(host: host, port: port, channelInitializer: Self.prepare)
        }
    }

    @Sendable private static func prepare(_ channel: any Channel) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture {
            let reply = channel.eventLoop.makePromise(of: ScanReply.self)
            try channel.pipeline.syncOperations.addHandler(ScanReplyHandler(reply))
            return Connection(channel: channel, reply: reply.futureResult)
        }
    }

    /// Sends one piece at a time: the next one is read when the socket has taken this one.
    private func send(_ source: ScanSource, _ prefix: [UInt8], to channel: any Channel) async throws {
        var buffer = ByteBuffer(string: "zINSTREAM\0")
        if !prefix.isEmpty { buffer.writeChunk(prefix) }
        var offset = 0
        while offset < source.count {
            let piece = try await source.read(min(ScanSource.pieceBytes, source.count - offset), offset)
            guard !piece.isEmpty else { throw FileFailure(code: EIO, operation: "read the file to be scanned") }
            buffer.writeChunk(piece)
            try await channel.writeAndFlush(buffer).get()
            buffer.clear()
            offset += piece.count
        }
        buffer.writeChunk([])
        try await channel.writeAndFlush(buffer).get()
    }
}

extension ByteBuffer {
    /// Writes a length of four bytes, then the bytes. A length of 0 ends the stream.
    fileprivate mutating func writeChunk(_ bytes: [UInt8]) {
        writeInteger(UInt32(bytes.count))
        writeBytes(bytes)
    }
}

private struct ScanTimeout: Error, CustomStringConvertible {
    var description: String { "no answer in time" }
}

/// Waits for clamd's one answer. An answer that is too long ends the connection.
private final class ScanReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let reply: EventLoopPromise<ScanReply>
    private var bytes: [UInt8] = []
    private var isOver = false

    init(_ reply: EventLoopPromise<ScanReply>) {
        self.reply = reply
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        if let end = bytes.firstIndex(of: 0) {
            resolve(ScanReply(bytes[..<end]))
        } else if bytes.count > ScanReply.maxBytes {
            resolve(.inconclusive("an answer without an end"))
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        resolve(.unreachable("\(error)"))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        resolve(.unreachable("the connection ended without an answer"))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        resolve(.unreachable("not connected"))
    }

    private func resolve(_ answer: ScanReply) {
        guard !isOver else { return }
        isOver = true
        reply.succeed(answer)
    }
}
