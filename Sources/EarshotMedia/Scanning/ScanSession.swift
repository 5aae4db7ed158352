import Glibc
import NIOCore
import NIOPosix

/// One question to clamd: a connection of its own, `INSTREAM`, the bytes, one answer.
///
/// Sessions are short: bytes are collected in the upload's file first, because clamd serves nobody else while as many connections stand open as its
/// `MaxQueue` (100 by default), and gives up one that is silent for 120 s. Whatever clamd does, an answer is there within `limit`.
struct ScanSession: Sendable {
    let address: ScannerAddress
    let limit: Duration

    /// - Parameter lead: bytes in front of the source's.
    func ask(_ source: ScanSource, lead: [UInt8] = []) async -> ScanReply {
        let line: Line
        do { line = try await connect() } catch { return .silent("no connection: \(error)") }
        let alarm = line.channel.eventLoop.scheduleTask(in: TimeAmount(limit)) {
            line.channel.pipeline.fireErrorCaught(ScanTimeout())
        }
        defer { alarm.cancel() }
        return await withTaskCancellationHandler {
            do {
                try await feed(source, lead, to: line.channel)
            } catch let failure as FileFailure {
                line.channel.close(promise: nil)
                return .refused("\(failure.asAdapterFailure)")
            } catch {
                // Its answer may be there already: too many bytes, for one.
                line.channel.close(promise: nil)
            }
            let reply = try? await line.reply.get()
            line.channel.close(promise: nil)
            return reply ?? .silent("no answer")
        } onCancel: {
            line.channel.close(promise: nil)
        }
    }

    private struct Line: Sendable {
        let channel: any Channel
        let reply: EventLoopFuture<ScanReply>
    }

    private func connect() async throws -> Line {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(TimeAmount(limit))
        switch address.place {
        case .unix(let path):
            return try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: Self.prepare)
        case .tcp(let host, let port):
            return try await bootstrap.connect(host: host, port: port, channelInitializer: Self.prepare)
        }
    }

    @Sendable private static func prepare(_ channel: any Channel) -> EventLoopFuture<Line> {
        channel.eventLoop.makeCompletedFuture {
            let reply = channel.eventLoop.makePromise(of: ScanReply.self)
            try channel.pipeline.syncOperations.addHandler(ScanReplyHandler(reply))
            return Line(channel: channel, reply: reply.futureResult)
        }
    }

    /// One piece at a time: the next is read when clamd, or its socket's buffer, has taken this one.
    private func feed(_ source: ScanSource, _ lead: [UInt8], to channel: any Channel) async throws {
        var buffer = ByteBuffer(string: "zINSTREAM\0")
        if !lead.isEmpty { buffer.writeChunk(lead) }
        var offset = 0
        while offset < source.count {
            let piece = try await source.read(min(ScanSource.pieceBytes, source.count - offset), offset)
            guard !piece.isEmpty else { throw FileFailure(code: EIO, verb: "read what was to be scanned") }
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
    /// A length of four bytes, then so many bytes; a length of 0 ends the stream.
    fileprivate mutating func writeChunk(_ bytes: [UInt8]) {
        writeInteger(UInt32(bytes.count))
        writeBytes(bytes)
    }
}

private struct ScanTimeout: Error, CustomStringConvertible {
    var description: String { "no answer in time" }
}

/// Waits for clamd's one answer. Bounded: more than an answer can be ends the connection.
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
            keep(ScanReply(bytes[..<end]))
        } else if bytes.count > ScanReply.limitBytes {
            keep(.refused("an answer without an end"))
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        keep(.silent("\(error)"))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        keep(.silent("the connection ended without an answer"))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        keep(.silent("not connected"))
    }

    private func keep(_ answer: ScanReply) {
        guard !isOver else { return }
        isOver = true
        reply.succeed(answer)
    }
}
