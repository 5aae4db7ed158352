import EarshotCore
import EarshotModel
import Logging
import NIOCore

/// One WebSocket: bytes in, frames out. Decides nothing itself: `FrameParser` reads, `SocketSession` allows, `Follow` orders, `Vitals` watches.
///
/// A plain channel handler, for a NIOAsyncChannel costs twice the CPU and the memory here. Frames of one socket are worked on strictly in order: a step
/// that must wait (a look-up) holds the ones behind it. Only commands overlap, for the writer answers them in order.
final class SocketHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let hub: SocketHub
    let mailbox: LoopMailbox
    let loop: SocketLoop
    var session: SocketSession
    var subscriptions: [Subscription] = []
    var feed: InboxFeed?
    /// The last conversation that an agent used without following it.
    var lastOpened: OpenConversation?
    /// Rows after this position were not written, for the socket was full.
    var rowsMissedAfter: Int64?
    /// Whose it is, from its hello on.
    var owner: SocketOwner?
    /// The version of the brand's settings that the client has, as its hello said.
    var settingsKnown: Int?
    /// The agent that routing counts this socket for.
    var countedAs: AgentCaller?
    var wantsTeam = false
    var wantsWall = false
    /// What was said last of the agent to themselves, and when; whether something else holds by now.
    var toldMe: Colleague?
    var toldMeAt: Timestamp?
    var isMeBehind = false
    /// What a consumer was told to expect, and when; whether anything is awaited.
    var expectation: Expectation?
    var expectationToldAt: Timestamp?
    var isExpecting = false
    /// A step that must wait is on its way.
    var isBusy = false
    var commandsInFlight = 0
    /// A pump stopped because there was no room.
    var wantsRoom = false

    var context: ChannelHandlerContext?
    var parser = FrameParser()
    var vitals: Vitals
    var input = Backlog()
    /// Frames of this turn.
    var output: ByteBuffer?
    var isReadHeld = false
    /// What the channel said last.
    var isChannelWritable = true
    var hasPeerClosed = false
    /// The peer broke the protocol: nothing it says now is read, so our side is closed at once.
    var isBroken = false
    var drainsSince: Timestamp?

    init(_ hub: SocketHub, on eventLoop: any EventLoop) {
        self.hub = hub
        session = SocketSession(commands: hub.commands)
        mailbox = hub.mailbox(of: eventLoop)
        loop = mailbox.sockets
        vitals = Vitals(at: loop.now)
    }

    var services: SocketDependencies { hub.services }
    var limits: SocketLimits { hub.limits }

    /// Whether there is room for more frames.
    var canWrite: Bool {
        isChannelWritable && context != nil && !session.isEnded
            && (output?.readableBytes ?? 0) < limits.outboundHighBytes
    }

    /// Whether the next frame may be worked on.
    var canRead: Bool {
        session.isEnded || (!isBusy && drainsSince == nil && commandsInFlight < limits.commandsInFlight && canWrite)
    }
}

// MARK: - What the channel says

extension SocketHandler {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let mark = ChannelOptions.Types.WriteBufferWaterMark(
            low: limits.outboundLowBytes, high: limits.outboundHighBytes)
        try? context.channel.syncOptions?.setOption(ChannelOptions.writeBufferWaterMark, value: mark)
        loop.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { gone() }

    func channelInactive(context: ChannelHandlerContext) {
        gone()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        vitals.hear(at: loop.now)
        input.append(unwrapInboundIn(data))
        loop.turn { _ in parse() }
    }

    func read(context: ChannelHandlerContext) {
        if canRead { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isChannelWritable = context.channel.isWritable
        vitals.writable(isChannelWritable, at: loop.now)
        if isChannelWritable { loop.turn { _ in goOn() } }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: context.close(promise: nil)
        case is ChannelShouldQuiesceEvent: loop.turn { _ in drain() }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func gone() {
        guard context != nil else { return }
        context = nil
        session.end()
        release()
        loop.remove(self)
    }

    func release() {
        for subscription in subscriptions {
            subscription.follow = nil
            loop.unfollow(subscription)
        }
        subscriptions = []
        departed()
        feed?.leave(self)
        feed = nil
        lastOpened = nil
    }
}
