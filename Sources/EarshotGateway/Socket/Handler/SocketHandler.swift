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
    var session = SocketSession()
    var subscriptions: [Subscription] = []
    var feed: InboxFeed?
    /// The last conversation that an agent used without following it.
    var lastOpened: OpenConversation?
    /// Rows after this position were not written, for the socket was full.
    var rowsMissedAfter: Int64?
    /// A step that must wait is on its way.
    var isBusy = false
    var commandsInFlight = 0
    /// A pump stopped because there was no room.
    var wantsRoom = false

    private var context: ChannelHandlerContext?
    private var parser = FrameParser()
    private var vitals: Vitals
    /// Bytes that came and were not understood yet.
    private var input: ByteBuffer?
    /// Frames of this turn.
    private var output: ByteBuffer?
    private var isReadHeld = false
    private var hasPeerClosed = false
    /// The peer broke the protocol: nothing it says now is read, so our side is closed at once.
    private var isBroken = false
    private var drainsSince: Timestamp?

    init(_ hub: SocketHub, on eventLoop: any EventLoop) {
        self.hub = hub
        mailbox = hub.mailbox(of: eventLoop)
        loop = mailbox.sockets
        vitals = Vitals(at: loop.now)
    }

    var desks: SocketDesks { hub.desks }
    var limits: SocketLimits { hub.limits }

    /// Whether there is room for more frames.
    var canWrite: Bool {
        guard let context, !session.isEnded else { return false }
        return context.channel.isWritable && (output?.readableBytes ?? 0) < limits.outboundHighBytes
    }

    /// Whether the next frame may be worked on.
    private var canRead: Bool {
        session.isEnded || (!isBusy && drainsSince == nil && commandsInFlight < limits.commandsInFlight && canWrite)
    }
}

// MARK: - What the channel says

extension SocketHandler {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let mark = ChannelOptions.Types.WriteBufferWaterMark(low: limits.outboundLowBytes, high: limits.outboundHighBytes)
        try? context.channel.syncOptions?.setOption(ChannelOptions.writeBufferWaterMark, value: mark)
        loop.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { gone() }

    func channelInactive(context: ChannelHandlerContext) {
        gone()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        vitals.hear(at: loop.now)
        if input == nil { input = bytes } else { input?.writeBuffer(&bytes) }
        loop.turn { _ in parse() }
    }

    func read(context: ChannelHandlerContext) {
        if canRead { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        vitals.writable(context.channel.isWritable, at: loop.now)
        if context.channel.isWritable { loop.turn { _ in goOn() } }
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

    private func release() {
        for subscription in subscriptions {
            subscription.follow = nil
            loop.unfollow(subscription)
        }
        subscriptions = []
        feed?.leave(self)
        feed = nil
        lastOpened = nil
    }
}

// MARK: - Reading

extension SocketHandler {
    private func parse() {
        while canRead, var bytes = input {
            input = nil
            let output = parser.next(from: &bytes, payload: &loop.payload)
            input = bytes.readableBytes > 0 ? bytes : nil
            guard let output else { break }
            take(output)
        }
    }

    private func take(_ output: FrameParser.Output) {
        switch output {
        case .text: take(session.receive(FrameDecoding.decode(loop.payload), at: loop.now, limits))
        case .ping:
            write(.pong, loop.payload)
            take(session.signal(at: loop.now, limits))
        case .pong: break
        case .close(let code):
            hasPeerClosed = true
            if session.isEnded { cut() } else { end(code, nil) }
        case .violation(let code):
            end(code, nil)
            isBroken = true
        }
    }

    private func take(_ step: SocketSession.Step) {
        switch step {
        case .signIn(let hello):
            vitals.greeted()
            signIn(hello)
        case .perform(let frame, let conversation): perform(frame, in: conversation)
        case .refuse(let refusal): refuse(refusal)
        case .end(let code, let rejection): end(code, rejection)
        case .ignore: break
        }
    }

    /// Goes on where it had to wait: delivers, works on what came, reads more.
    func goOn() {
        if let missed = rowsMissedAfter, canWrite {
            rowsMissedAfter = nil
            feed?.join(after: missed)
        }
        pumpAll()
        parse()
        if let since = drainsSince, mayEnd(since) { end(.goingAway, .goingAway) }
        guard isReadHeld, canRead, let context else { return }
        isReadHeld = false
        context.read()
    }
}

// MARK: - Writing

extension SocketHandler {
    /// Writes the frame that stands in the loop's writer.
    func writeFrame() { write(.text, loop.writer.bytes) }

    private func write(_ opcode: FrameHeader.Opcode, _ payload: [UInt8]) {
        buffer(payload.count) { $0.writeFrame(opcode, payload) }
    }

    private func buffer(_ bytes: Int, _ write: (inout ByteBuffer) -> Void) {
        guard let context else { return }
        if output == nil {
            output = context.channel.allocator.buffer(capacity: bytes + Self.headBytes)
            loop.touch(self)
        }
        output?.reserveCapacity(minimumWritableBytes: bytes + Self.headBytes)
        write(&output!)
    }

    private static let headBytes = 10

    /// Hands this turn's frames to the channel, in one write.
    func flush() {
        guard let frames = output, let context else { return }
        output = nil
        if session.isEnded, hasPeerClosed {
            context.writeAndFlush(wrapOutboundOut(frames)).assumeIsolated().whenComplete { [weak self] _ in self?.cut() }
        } else if isBroken {
            context.writeAndFlush(wrapOutboundOut(frames), promise: nil)
            context.close(mode: .output, promise: nil)
        } else {
            context.writeAndFlush(wrapOutboundOut(frames), promise: nil)
        }
        if wantsRoom, canWrite {
            wantsRoom = false
            goOn()
        }
    }

    private func cut() { context?.close(promise: nil) }
}

// MARK: - Ending

extension SocketHandler {
    /// Says why, closes, and gives the other side a bounded time to do the same.
    func end(_ code: CloseCode?, _ rejection: Rejection?) {
        guard !session.isEnded else { return }
        session.end()
        vitals.ended(at: loop.now, limits)
        release()
        if let rejection {
            loop.writer.clear()
            loop.writer.bye(.init(code: rejection.code.rawValue, text: rejection.text, after: returnAfter(code, rejection)))
            writeFrame()
        }
        input = nil
        if code == .goingAway { closeSoon(.goingAway) } else { buffer(0) { $0.writeClose(code) } }
        guard isReadHeld, let context else { return }
        isReadHeld = false
        context.read()
    }

    /// One that is in the middle of sending reads the `bye` before a close makes its sending fail.
    private func closeSoon(_ code: CloseCode) {
        loop.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(limits.byeMs)) {
            self.loop.turn { _ in self.buffer(0) { $0.writeClose(code) } }
        }
    }

    private func returnAfter(_ code: CloseCode?, _ rejection: Rejection) -> Int? {
        code == .goingAway ? Int.random(in: 0...limits.returnSpreadMs) : rejection.retryAfter.map { $0 * 1000 }
    }

    /// Takes nothing new, waits for the answers that are on their way, and ends.
    func drain() {
        guard drainsSince == nil, !session.isEnded else { return }
        drainsSince = loop.now
        if mayEnd(loop.now) { end(.goingAway, .goingAway) }
    }

    private func mayEnd(_ since: Timestamp) -> Bool {
        (commandsInFlight == 0 && !isBusy) || loop.now >= since.adding(milliseconds: limits.drainMs)
    }

    /// Once a second.
    func examine(at now: Timestamp) {
        switch vitals.examine(at: now, limits) {
        case .well: break
        case .ping: write(.ping, [])
        case .end(let code): end(code, .reason(of: code))
        case .cut: cut()
        }
        goOn()
    }
}

extension Rejection {
    fileprivate static func reason(of code: CloseCode) -> Rejection? {
        switch code {
        case .noHello: .noHello
        case .heartbeatLost: .silent
        case .tooSlow: .tooSlow
        default: nil
        }
    }
}
