import EarshotModel
import NIOCore
import NIOHTTP1

/// Guards every HTTP connection, directly after its decoder, with what Hummingbird does not have: deadlines for heads,
/// bodies and stalled readers, the byte limit of the route while the body streams, the rules for `Host`, and an answer
/// for what the parser refuses.
///
/// A refused request never reaches a handler: the guard answers it, stops reading, and closes. After an upgrade it is
/// removed with the HTTP handlers.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case open
        /// Answers what is in flight, reads nothing more, then closes.
        case finishing
        /// Everything is written; waits a moment for the client to read it.
        case lingering
    }

    /// The limits of the route that a head requests.
    typealias LimitsOf = @Sendable (HTTPRequestHead) -> BodyLimits

    private let deadlines: ConnectionDeadlines
    private let limitsOf: LimitsOf
    /// Whether the server shuts down: then each connection ends with its answer.
    private let isDraining: @Sendable () -> Bool
    private let answers: RefusalAnswers
    private var state = State.open
    private var timeline: RequestTimeline
    /// The head of an answer is written and its end is not.
    private var isAnswering = false
    /// Complete answers that are not flushed yet.
    private var unflushed = 0
    /// The client asked for no further request on this connection.
    private(set) var isLast = false
    private var sawPart = false
    private var alarm: Alarm?
    private var stallAlarm: Scheduled<Void>?
    /// Passes on that the server shuts down, unless a request that is in flight arrives first.
    private var postponedQuiesce: Scheduled<Void>?

    private struct Alarm {
        let at: NIODeadline
        let task: Scheduled<Void>
    }

    init(
        deadlines: ConnectionDeadlines, answers: RefusalAnswers, isDraining: @escaping @Sendable () -> Bool = { false },
        limitsOf: @escaping LimitsOf
    ) {
        self.deadlines = deadlines
        self.answers = answers
        self.limitsOf = limitsOf
        self.isDraining = isDraining
        timeline = RequestTimeline(deadlines, now: .uptimeNanoseconds(0))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timeline = RequestTimeline(deadlines, now: context.eventLoop.now)
        if context.channel.isActive { arm(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        arm(context)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        disarm()
    }

    func channelInactive(context: ChannelHandlerContext) {
        disarm()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = state else { return }
        sawPart = true
        let part = Self.unwrapInboundIn(data)
        switch part {
        case .head(let head):
            do throws(Rejection) {
                timeline.begin(try HeadRules.check(head, limits: limitsOf(head)), now: context.eventLoop.now)
            } catch {
                return refuse(error, context)
            }
            postponedQuiesce?.cancel()
            context.fireChannelRead(data)
            if !head.isKeepAlive || HeadRules.asksForUpgrade(head) { isLast = true }
        case .body(let bytes):
            guard timeline.receive(bytes.readableBytes) else { return overflow(context) }
            context.fireChannelRead(data)
        case .end:
            timeline.endRequest(now: context.eventLoop.now)
            context.fireChannelRead(data)
            if isLast { state = .finishing }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !sawPart { timeline.trickled(now: context.eventLoop.now) }
        sawPart = false
        if case .open = state { arm(context) }
        context.fireChannelReadComplete()
    }

    /// A connection that has not sent its first head yet, or sent a part of a head, gets an answer before it ends: the
    /// rest is probably in flight.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent, case .head = timeline.reading, state == .open else {
            return context.fireUserInboundEventTriggered(event)
        }
        postponedQuiesce = context.eventLoop.assumeIsolated().scheduleTask(in: deadlines.lastHead) {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func read(context: ChannelHandlerContext) {
        guard case .lingering = state else { return context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError { refuse(HeadRules.broken(error), context) }
        context.fireErrorCaught(error)
    }

    private func overflow(_ context: ChannelHandlerContext) {
        guard case .body(let limits, _, _) = timeline.reading else { return }
        refuse(HeadRules.tooLarge(limits), context)
    }

    // MARK: - Answers

    /// Where more than this of a body is outstanding when its answer ends, the connection closes instead of reading it.
    private static let drainBytes = 64 * 1024

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state != .lingering else { return promise?.fail(ChannelError.outputClosed) ?? () }
        switch Self.unwrapOutboundIn(data) {
        case .head(var head):
            guard head.status.code >= 200 || head.status == .switchingProtocols else {
                return context.write(data, promise: promise)
            }
            isAnswering = true
            if state == .open, isDraining() { (state, isLast) = (.finishing, true) }
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

    /// Answers a request that no handler will see, or interrupts one that a handler has started, and closes.
    private func refuse(_ rejection: Rejection, _ context: ChannelHandlerContext) {
        guard state == .open else { return }
        let isReadingBody = if case .body = timeline.reading { true } else { false }
        let earlier = timeline.unanswered - (isReadingBody ? 1 : 0)
        // Earlier requests are answered first; the refused one then gets no answer but the end of the connection.
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

    /// Closes the output, reads nothing more, and closes a moment later: closing at once with unread bytes in the
    /// socket would reset it, and the client might lose the answer.
    private func linger(_ context: ChannelHandlerContext) {
        state = .lingering
        context.flush()
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: deadlines.linger) { context.close(promise: nil) }
    }

    /// While lingering, only the timer closes the connection.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard state == .lingering else { return context.close(mode: mode, promise: promise) }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
    }

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
        // The client sends no further request and has read everything: there is nothing to wait for.
        if isLast, state == .finishing, timeline.unanswered == 0 { context.close(promise: nil) }
    }

    /// Closes a connection whose client reads nothing for a while: it holds memory.
    private func watchStall(_ context: ChannelHandlerContext) {
        guard stallAlarm == nil, unflushed > 0 || !context.channel.isWritable, context.channel.isActive else { return }
        stallAlarm = context.eventLoop.assumeIsolated().scheduleTask(in: deadlines.stalled) {
            context.close(mode: .all, promise: nil)
        }
    }

    // MARK: - The timer

    /// Schedules the next check of the deadlines.
    private func arm(_ context: ChannelHandlerContext) {
        guard let deadline = timeline.deadline else { return }
        if let alarm, alarm.at <= deadline { return }
        alarm?.task.cancel()
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.checkTime(context) }
        alarm = Alarm(at: deadline, task: task)
    }

    private func checkTime(_ context: ChannelHandlerContext) {
        alarm = nil
        guard case .open = state else { return }
        switch timeline.verdict(now: context.eventLoop.now) {
        case .fine: arm(context)
        case .idleTooLong: context.close(promise: nil)
        case .tooSlow: refuse(HeadRules.tooSlow, context)
        }
    }

    private func disarm() {
        alarm?.task.cancel()
        stallAlarm?.cancel()
        postponedQuiesce?.cancel()
        alarm = nil
        stallAlarm = nil
        postponedQuiesce = nil
    }
}

/// The error that a handler gets instead of the rest of a body that was refused while it streamed.
struct RequestCut: Error {
    let rejection: Rejection
}
