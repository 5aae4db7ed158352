import EarshotModel
import NIOCore
import NIOHTTP1

extension ConnectionGuard {
    /// More than this of a body is not read to its end when its answer is already given.
    private static let drainBytes = 64 * 1024

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state != .lingering else { return promise?.fail(ChannelError.outputClosed) ?? () }
        switch Self.unwrapOutboundIn(data) {
        case .head(var head):
            guard head.status.code >= 200 || head.status == .switchingProtocols else {
                return context.write(data, promise: promise)
            }
            isAnswering = true
            if state == .finishing || timeline.outstanding > Self.drainBytes {
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end: writeEnd(data, promise, context)
        }
    }

    private func writeEnd(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        isAnswering = false
        let flushed = promise ?? context.eventLoop.makePromise()
        unflushed += 1
        flushed.futureResult.assumeIsolated().whenComplete { _ in self.ended(context) }
        timeline.endAnswer(now: context.eventLoop.now)
        context.write(data, promise: flushed)
        watchStall(context)
        guard timeline.unanswered == 0 else { return }
        if timeline.outstanding > Self.drainBytes || (state == .finishing && !isLast) { return linger(context) }
        arm(context)
    }

    /// Answers a request that no handler will see, or cuts off one that a handler has begun on, and closes.
    func refuse(_ rejection: Rejection, _ context: ChannelHandlerContext) {
        guard state == .open else { return }
        let isReadingBody = if case .body = timeline.reading { true } else { false }
        let earlier = timeline.unanswered - (isReadingBody ? 1 : 0)
        // What was asked before is answered first; the one that is refused then gets the end of the connection for an answer.
        if earlier > 0, !isReadingBody {
            state = .finishing
            return
        }
        if earlier == 0, !isAnswering { answer(rejection, context) }
        linger(context)
        if isReadingBody { context.fireErrorCaught(RequestCut(rejection: rejection)) }
    }

    private func answer(_ rejection: Rejection, _ context: ChannelHandlerContext) {
        let (head, body) = answers.make(rejection)
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Says that nothing more comes, reads nothing more, and closes a moment later: closing at once with unread bytes in the socket would reset it,
    /// and the client might lose the answer.
    private func linger(_ context: ChannelHandlerContext) {
        state = .lingering
        context.flush()
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: deadlines.linger) { context.close(promise: nil) }
    }

    /// While lingering the connection ends by our clock, whoever above wants it closed.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard state == .lingering else { return context.close(mode: mode, promise: promise) }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
    }
}

extension ConnectionGuard {
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stallAlarm?.cancel()
        stallAlarm = nil
        watchStall(context)
        context.fireChannelWritabilityChanged()
    }

    private func ended(_ context: ChannelHandlerContext) {
        unflushed -= 1
        guard unflushed == 0, context.channel.isWritable else { return }
        stallAlarm?.cancel()
        stallAlarm = nil
        // The client said that nothing more comes, and it has been read to its end: nothing to wait for.
        if isLast, state == .finishing, timeline.unanswered == 0 { context.close(promise: nil) }
    }

    /// A client that takes nothing for a while is cut off: it holds memory.
    private func watchStall(_ context: ChannelHandlerContext) {
        guard stallAlarm == nil, unflushed > 0 || !context.channel.isWritable, context.channel.isActive else { return }
        stallAlarm = context.eventLoop.assumeIsolated().scheduleTask(in: deadlines.stalled) {
            context.close(mode: .all, promise: nil)
        }
    }
}

/// What a handler finds instead of the rest of a body that was refused while it streamed.
struct RequestCut: Error {
    let rejection: Rejection
}
