import NIOCore
import NIOPosix
import Testing

@testable import EarshotMedia

/// What a clamd that misbehaves says to whatever it is sent.
enum Misbehaviour: Sendable, CaseIterable {
    case saysNothing, hangsUp, neverEnds, stopsInTheMiddle, answersEarly
}

@Suite struct `A session with a scanner that misbehaves` {
    @Test(arguments: Misbehaviour.allCases)
    func `ends, and the answer is not clean`(how: Misbehaviour) async throws {
        let path = try Scratch.folder("line") + "/clamd.ctl"
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Misbehaving(how))
                }
            }
            .bind(unixDomainSocketPath: path).get()
        let session = ScanSession(
            address: try ScannerAddress("unix:" + path), limit: how == .saysNothing ? .milliseconds(200) : .seconds(120)
        )
        let reply = await session.ask(.bytes([UInt8](repeating: 7, count: 8 * 1024 * 1024)))
        switch how {
        case .saysNothing, .hangsUp, .stopsInTheMiddle:
            if case .unreachable = reply {} else { Issue.record("\(reply)") }
        case .neverEnds: #expect(reply == .inconclusive("an answer without an end"))
        case .answersEarly: #expect(reply == .inconclusive("INSTREAM size limit exceeded. ERROR"))
        }
        try await server.close()
    }

    @Test func `reports that no scanner listens`() async throws {
        let reply = await ScanSession(address: try ScannerAddress("unix:/nowhere/clamd.ctl"), limit: .seconds(120)).ask(
            .bytes([1]))
        guard case .unreachable = reply else {
            Issue.record("\(reply)")
            return
        }
    }

    @Test func `does not blame the scanner if our own file is gone`() async throws {
        let clamd = try Clamd()
        try clamd.start()
        try await ScannerLab.with(clamd) { lab in
            let reply = await lab.scanner.whole(.file("/nowhere/original", 0..<10))
            guard case .inconclusive = reply else {
                Issue.record("\(reply)")
                return
            }
            #expect(lab.scanner.health == .good)
        }
    }
}

private final class Misbehaving: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let how: Misbehaviour

    init(_ how: Misbehaviour) {
        self.how = how
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch how {
        case .saysNothing: return
        case .hangsUp: context.close(promise: nil)
        case .neverEnds: context.writeAndFlush(wrapOutboundOut(ByteBuffer(repeating: 0x78, count: 2000)), promise: nil)
        case .stopsInTheMiddle:
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "stream: OK")), promise: nil)
            context.close(promise: nil)
        case .answersEarly:
            context.writeAndFlush(
                wrapOutboundOut(ByteBuffer(string: "INSTREAM size limit exceeded. ERROR\0")), promise: nil)
        }
    }
}
