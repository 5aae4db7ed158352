import EarshotCore
import EarshotModel
import NIOCore
import Synchronization

/// Performs the frames of calls: `call`, `signal`, `check` and `checked`.
struct CallFrames {
    private let connection: SocketConnection

    init(_ connection: SocketConnection) { self.connection = connection }

    func perform(_ frame: ClientFrame, in conversation: OpenConversation) {
        let (calls, device) = (connection.services.calls, connection.callDevice(of: conversation.caller))
        switch frame {
        case .call(let join):
            connection.wait(for: frame) {
                try await calls.join(join, in: conversation, as: device)
            } then: { _ in
            }
        case .signal(let signal):
            do throws(Rejection) { try calls.pass(signal, in: conversation, from: device) } catch {
                connection.refuse(frame.refused(error))
            }
        case .check:
            connection.wait(for: frame) {
                try await calls.checkInvitation(in: conversation)
            } then: {
                ask(conversation)
            }
        case .checked(let readiness):
            guard conversation.caller.leg == .consumer, readiness.isWithinLimits else {
                return connection.refuse(frame.refused(FrameRefusal.malformed))
            }
            connection.broadcast(.init(conversation: conversation.id, what: .readiness(readiness)))
        default: break
        }
    }

    /// Asks the agent's device and those of the consumer.
    private func ask(_ conversation: OpenConversation) {
        let calls = connection.services.calls
        let own = calls.check(conversation.id, for: .agent)
        connection.write { $0.rare(.check(own)) }
        connection.broadcast(
            .init(conversation: conversation.id, what: .check(calls.check(conversation.id, for: .consumer))))
    }
}

/// A connection as a device of calls. Other connections, on any event loop, hand it what is for its client.
final class CallDevice: CallPeer {
    private let connection: NIOLoopBound<SocketConnection>
    private let mailbox: LoopMailbox
    private let calls: CallService
    private let caller: Caller
    private let hasLeft = Atomic(false)

    /// Made on the connection's event loop.
    init(_ connection: SocketConnection, _ caller: Caller, mailbox: LoopMailbox) {
        self.connection = NIOLoopBound(connection, eventLoop: mailbox.eventLoop)
        self.mailbox = mailbox
        self.caller = caller
        calls = connection.services.calls
    }

    func tell(_ state: CallStatus.State, of call: CallAddress) {
        write(.call(calls.status(state, of: call, for: caller.leg)))
    }

    func pass(_ signal: CallSignal, of call: CallAddress) {
        write(.signal(.init(signal, of: call.number, in: caller.leg == .agent ? call.conversation : nil)))
    }

    var isGone: Bool { hasLeft.load(ordering: .acquiring) }

    /// The connection ended: the device is away from all of its calls.
    func leave() {
        hasLeft.store(true, ordering: .releasing)
        calls.leave(self)
    }

    private func write(_ frame: ServerFrame) {
        let connection = connection
        mailbox.post(
            .turn { _ in
                guard connection.value.caller != nil else { return }
                connection.value.write { $0.rare(frame) }
            })
    }
}
