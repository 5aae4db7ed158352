import EarshotModel
import NIOCore
import NIOHTTP1

/// Stands right behind the HTTP decoder of every connection and does what Hummingbird leaves to us: deadlines for heads, bodies and stalled readers,
/// the byte limit of the route while the body streams, the rules for `Host`, and an answer for what the parser refuses.
///
/// What it refuses never reaches a handler; it answers itself, stops reading, and closes. After an upgrade it is removed with the HTTP handlers.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    enum State {
        case open
        /// Answers what is in flight, reads nothing more, then closes.
        case finishing
        /// Everything is said; waits a moment for the other end to read it.
        case lingering
    }

    /// Route limits of a head.
    typealias LimitsOf = @Sendable (HTTPRequestHead) -> BodyLimits

    let deadlines: ConnectionDeadlines
    let limitsOf: LimitsOf
    let answers: RefusalAnswers
    var state = State.open
    var timeline: RequestTimeline
    /// An answer's head went out and its end did not.
    var isAnswering = false
    /// Whole answers that the socket has not taken yet.
    var unflushed = 0
    /// The client asked for no further request on this connection.
    private(set) var isLast = false
    private var sawPart = false
    var alarm: Alarm?
    var stallAlarm: Scheduled<Void>?

    struct Alarm {
        let at: NIODeadline
        let task: Scheduled<Void>
    }

    init(deadlines: ConnectionDeadlines, answers: RefusalAnswers, limitsOf: @escaping LimitsOf) {
        self.deadlines = deadlines
        self.answers = answers
        self.limitsOf = limitsOf
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
            context.fireChannelRead(data)
            if !head.isKeepAlive { isLast = true }
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
}
