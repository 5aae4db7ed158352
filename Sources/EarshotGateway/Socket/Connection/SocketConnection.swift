import EarshotCore
import EarshotDomain
import EarshotModel
import NIOCore

/// One WebSocket connection: parses frames from bytes, applies backpressure, gathers the frames of one turn into one
/// write, and closes.
///
/// `SocketSession` decides what a frame may do, `FrameRouter` performs it, and the feeds deliver. Frames of one
/// connection are performed strictly in order: a step that waits for a lookup holds back the frames behind it. Only
/// commands overlap, because the writer answers them in order.
///
/// A plain channel handler: a `NIOAsyncChannel` costs twice the CPU and the memory here. It lives on its event loop
/// only, so nothing is locked.
final class SocketConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let hub: SocketHub
    private let loop: SocketLoop
    /// The origin of the page where it is another site's: the app of the consumer who signs in must allow it.
    let foreignOrigin: String?
    private var session: SocketSession
    /// Whose connection this is; known from the hello on.
    private(set) var owner: SocketOwner?
    /// The conversations that this connection follows.
    private(set) lazy var conversations = ConversationFeed(self, loop: loop, mailbox: hub.mailbox(of: loop.eventLoop))
    private var roleFeeds = RoleFeeds.none
    /// This connection as a device of calls, once it takes part in one.
    private var device: CallDevice?
    /// To call when this socket ends: it no longer counts for its person.
    private var release: (@Sendable () -> Void)?

    private var context: ChannelHandlerContext?
    private var parser = FrameParser()
    private var liveness: ConnectionLiveness
    private var ending = SocketEnding()
    private var input = Backlog()
    /// The frames of this turn; `nil` where there are none.
    private var output: ByteBuffer?
    /// NIO asked for a read that backpressure delays.
    private var isReadDelayed = false
    /// The channel's writability, as it reported last.
    private var isChannelWritable = true
    /// A delivery stopped because the output was full.
    private var resumesAfterFlush = false
    /// A lookup is under way.
    private var isWaiting = false
    private var commandsInFlight = 0
    private var record: SocketRecord

    init(_ hub: SocketHub, on eventLoop: any EventLoop, from peer: SocketPeer) {
        self.hub = hub
        foreignOrigin = peer.foreignOrigin
        loop = hub.mailbox(of: eventLoop).sockets
        session = SocketSession(hub.allowances, from: peer.address)
        liveness = ConnectionLiveness(at: loop.now)
        record = hub.monitor.record()
    }

    var services: SocketDependencies { hub.services }
    var limits: SocketLimits { loop.limits }
    var now: Timestamp { loop.now }
    /// The caller while the connection is signed in.
    var caller: Caller? { session.caller }

    /// Whether there is room for more frames.
    var canWrite: Bool {
        isChannelWritable && context != nil && !session.isEnded
            && (output?.readableBytes ?? 0) < limits.outboundHighBytes
    }

    /// Whether the next frame may be performed.
    private var canRead: Bool {
        session.isEnded
            || (!isWaiting && !ending.isDraining && commandsInFlight < limits.commandsInFlight && canWrite)
    }

    // MARK: - Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let mark = ChannelOptions.Types.WriteBufferWaterMark(
            low: limits.outboundLowBytes, high: limits.outboundHighBytes)
        try? context.channel.syncOptions?.setOption(ChannelOptions.writeBufferWaterMark, value: mark)
        loop.add(self)
        record.opened()
    }

    func handlerRemoved(context: ChannelHandlerContext) { detach() }

    func channelInactive(context: ChannelHandlerContext) {
        detach()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        liveness.received(at: now)
        input.append(unwrapInboundIn(data))
        loop.turn { _ in parse() }
    }

    func read(context: ChannelHandlerContext) {
        if canRead { context.read() } else { isReadDelayed = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isChannelWritable = context.channel.isWritable
        liveness.writabilityChanged(isChannelWritable, at: now)
        if isChannelWritable { loop.turn { _ in resume() } }
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

    private func detach() {
        guard context != nil else { return }
        context = nil
        session.end()
        releaseFeeds()
        release.take()?()
        loop.remove(self)
        record.ended()
    }

    private func releaseFeeds() {
        conversations.unsubscribeAll()
        device.take()?.leave()
        let feeds = roleFeeds
        roleFeeds = .none
        feeds.stop()
    }

    // MARK: - Bytes in

    private func parse() {
        while canRead, let output = input.read({ loop.parse(&$0, with: &parser) }) { receive(output) }
    }

    private func receive(_ output: FrameParser.Output) {
        switch output {
        // After the close frame the rest of the input is read and dropped (RFC 6455 section 5.5.1).
        case .text where session.isEnded, .ping where session.isEnded: break
        case .text: apply(session.receive(FrameDecoding.decode(loop.payload), at: now, limits))
        case .ping:
            write(.pong, loop.payload)
            apply(session.receivePing(at: now, limits))
        case .pong: break
        case .close(let code):
            ending.peerClosed()
            if session.isEnded { disconnect() } else { end(code, nil) }
        case .violation(let code):
            end(code, nil)
            ending.peerBrokeProtocol()
        }
    }

    private func apply(_ action: SocketSession.Action) {
        switch action {
        case .signIn(let hello):
            liveness.helloReceived()
            SocketSignIn(self, loop: loop, settingsVersion: hello.settingsVersion).start(hello)
        case .perform(let frame, let conversation): FrameRouter(self).route(frame, in: conversation)
        case .refuse(let refusal): refuse(refusal)
        case .end(let code, let rejection): end(code, rejection)
        case .ignore: break
        }
    }

    /// Continues after a pause: delivers, performs the frames that were received, and reads more.
    private func resume() {
        if canWrite { roleFeeds.inbox?.requestMissedRows() }
        conversations.deliverAll()
        parse()
        if ending.isDraining, mayEndDrain { end(.goingAway, .goingAway) }
        guard isReadDelayed, canRead, let context else { return }
        isReadDelayed = false
        context.read()
    }

    // MARK: - Frames out

    /// Composes one frame and adds it to this turn's output.
    func write(_ compose: (inout WireWriter) -> Void) {
        loop.compose(compose)
        writeComposed()
    }

    /// Adds the frame that the event loop composed last: for frames that many connections get alike.
    func writeComposed() { write(.text, loop.composed) }

    /// Answers a command.
    func answer(_ key: IdempotencyKey, _ sequence: Int, _ at: Timestamp, in conversation: ConversationID?) {
        guard !session.isEnded else { return }
        write { $0.ok(.init(key: key, sequence: sequence, at: at, conversation: conversation)) }
    }

    /// Refuses a frame: with `no` where it has a key, otherwise with `problem`. Both name the conversation that the
    /// frame named.
    func refuse(_ refusal: FrameRefusal) {
        guard !session.isEnded else { return }
        let (rejection, conversation) = (refusal.rejection, refusal.conversation)
        record.refused(rejection.code)
        let code = rejection.code.rawValue
        guard let key = refusal.key else {
            return write { $0.rare(.problem(.init(code: code, text: rejection.text, conversation: conversation))) }
        }
        write {
            $0.no(
                .init(
                    key: key, code: code, text: rejection.text, conversation: conversation, limit: rejection.limit,
                    after: rejection.retryAfter.map { $0 * 1000 }))
        }
    }

    /// Delivers again once this turn's output is flushed and there is room.
    func resumeAfterFlush() { resumesAfterFlush = true }

    private func write(_ opcode: FrameHeader.Opcode, _ payload: [UInt8]) {
        append(payload.count) { $0.writeFrame(opcode, payload) }
    }

    private func append(_ bytes: Int, _ write: (inout ByteBuffer) -> Void) {
        guard let context else { return }
        if output == nil {
            output = context.channel.allocator.buffer(capacity: bytes + Self.frameHeaderBytes)
            loop.flushAtEndOfTurn(self)
        }
        output?.reserveCapacity(minimumWritableBytes: bytes + Self.frameHeaderBytes)
        write(&output!)
    }

    private static let frameHeaderBytes = 10

    /// Hands this turn's frames to the channel in one write.
    func flush() {
        guard let frames = output, let context else { return }
        output = nil
        switch ending.afterFlush(isEnded: session.isEnded) {
        case .stayOpen: context.writeAndFlush(wrapOutboundOut(frames), promise: nil)
        case .disconnectWhenWritten:
            context.writeAndFlush(wrapOutboundOut(frames)).assumeIsolated().whenComplete { [weak self] _ in
                self?.disconnect()
            }
        case .closeOutput:
            context.writeAndFlush(wrapOutboundOut(frames), promise: nil)
            context.close(mode: .output, promise: nil)
        }
        if resumesAfterFlush, canWrite {
            resumesAfterFlush = false
            resume()
        }
    }

    // MARK: - Steps that wait

    /// Performs asynchronous work; until it completes, no other frame of this connection is performed. A failure
    /// refuses `frame`; without a frame it ends the connection, which has no snapshot to continue from.
    func wait<Value: Sendable>(
        for frame: ClientFrame? = nil, _ work: @escaping @Sendable () async throws -> Value,
        then: @escaping (Value) -> Void, failed: (() -> Void)? = nil
    ) {
        isWaiting = true
        load(work) { result in
            self.isWaiting = false
            guard !self.session.isEnded else { return }
            switch result {
            case .success(let value): then(value)
            case .failure(let error):
                failed?()
                self.record.failed(error)
                self.fail(frame, ChangeFailure.rejection(of: error))
            }
            self.resume()
        }
    }

    private func fail(_ frame: ClientFrame?, _ rejection: Rejection) {
        if let frame { refuse(frame.refused(rejection)) } else { end(.closeCode(for: rejection), rejection) }
    }

    /// Performs asynchronous work and continues in a turn of the event loop. Keeps this connection alive until then, so
    /// its parts may refer to it unowned.
    func load<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value, then: @escaping (Result<Value, any Error>) -> Void
    ) {
        loop.load(work) { result in withExtendedLifetime(self) { then(result) } }
    }

    func commandStarted() { commandsInFlight += 1 }

    /// Counts the command as answered, answers it, and reads on where too many commands were in flight.
    func commandFinished(_ answer: () -> Void) {
        commandsInFlight -= 1
        answer()
        if commandsInFlight == limits.commandsInFlight - 1 || commandsInFlight == 0 { resume() }
    }

    // MARK: - Signing in

    /// Records whose connection this is, before anything else is looked up: whatever ends the owner meanwhile ends the
    /// connection.
    /// - Throws: `rate_limited` where this person has too many sockets.
    func identify(as owner: SocketOwner, _ caller: Caller) throws(Rejection) {
        release = try hub.allowances.open(caller.author)
        self.owner = owner
    }

    /// Extends the connection to the end of the session, once that is known.
    func confirmOwner(until expires: Timestamp) {
        owner?.confirm(until: expires, by: services.identity, at: now)
    }

    func signedIn(as caller: Caller) {
        session.signedIn(as: caller)
        record.signedIn(as: caller)
    }

    /// This connection as a device of calls.
    func callDevice(of caller: Caller) -> CallDevice {
        let device = device ?? CallDevice(self, caller, mailbox: hub.mailbox(of: loop.eventLoop))
        self.device = device
        return device
    }

    func start(_ status: ConsumerStatusFeed) { roleFeeds = .consumer(status) }

    func start(_ status: AgentStatusFeed, _ inbox: InboxSubscriber) { roleFeeds = .agent(status, inbox) }

    var consumerStatus: ConsumerStatusFeed? { roleFeeds.consumerStatus }

    var agentStatus: AgentStatusFeed? { roleFeeds.agentStatus }

    /// Sends the brand's settings after a change.
    func send(_ settings: AccountSettings) {
        guard let caller else { return }
        write { $0.rare(.settings(settings.view(for: caller.role, on: .web))) }
    }

    /// Sends a notice to those who follow its conversation.
    func broadcast(_ signal: Signal) { hub.send(signal) }

    // MARK: - Ending

    /// Sends `bye` with the reason where there is one, closes, and gives the client a bounded time to do the same.
    func end(_ code: CloseCode?, _ rejection: Rejection?) {
        guard !session.isEnded else { return }
        session.end()
        liveness.ended(at: now, limits)
        releaseFeeds()
        if let rejection {
            record.refused(rejection.code)
            let after = SocketEnding.returnAfter(code, rejection, limits)
            write { $0.rare(.bye(.init(code: rejection.code.rawValue, text: rejection.text, after: after))) }
        }
        input.clear()
        if code == .goingAway { writeCloseSoon(.goingAway) } else { append(0) { $0.writeClose(code) } }
        guard isReadDelayed, let context else { return }
        isReadDelayed = false
        context.read()
    }

    /// Delays the close frame, so that a client that is sending reads the `bye` before the close makes its sending
    /// fail.
    private func writeCloseSoon(_ code: CloseCode) {
        loop.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(limits.byeMs)) {
            self.loop.turn { _ in self.append(0) { $0.writeClose(code) } }
        }
    }

    /// Stops performing frames, waits for the answers in flight, and ends.
    func drain() {
        guard !session.isEnded, ending.startDraining(at: now), mayEndDrain else { return }
        end(.goingAway, .goingAway)
    }

    private var mayEndDrain: Bool {
        ending.mayEndDrain(isIdle: commandsInFlight == 0 && !isWaiting, at: now, limits)
    }

    /// Checks credentials and liveness. Called once a second.
    func check(at now: Timestamp) {
        if let reason = owner?.ending(by: services.identity, at: now) { end(.closeCode(for: reason), reason) }
        switch liveness.check(at: now, limits) {
        case .alive: break
        case .ping: write(.ping, [])
        case .end(let code): end(code, .reason(for: code))
        case .disconnect: disconnect()
        }
        resume()
    }

    private func disconnect() { context?.close(promise: nil) }
}
