import EarshotCore
import EarshotDomain
import EarshotModel
import Synchronization

/// What one person, and all consumers of one network address, may send and hold open over all their sockets: a second
/// socket raises no rate.
final class SocketAllowances: Sendable {
    private let commands: Throttle
    private let signals: Throttle
    private let addressCommands: Throttle
    private let socketsPerPerson: Int
    private let retrySeconds: Int
    private let sockets = Mutex<[String: Int]>([:])

    /// More persons than this are forgotten, those first whose allowance is full again.
    private static let personsCounted = 1_000_000

    init(_ limits: SocketLimits) {
        commands = Throttle(limits.commands, capacity: Self.personsCounted)
        signals = Throttle(limits.signals, capacity: Self.personsCounted)
        addressCommands = Throttle(limits.addressCommands, capacity: Self.personsCounted)
        socketsPerPerson = limits.socketsPerPerson
        retrySeconds = limits.socketRetrySeconds
    }

    /// Counts a frame of a person.
    /// - Parameter address: the network address of the socket, as rate limits count it.
    /// - Returns: `nil` if the frame is allowed, otherwise the milliseconds until the next one will be.
    func wait(afterTaking frame: ClientFrame, of caller: Caller, from address: String, at now: Timestamp) -> Int64? {
        guard frame.isCommand else { return signals.wait(afterTaking: caller.author, at: now) }
        if let wait = commands.wait(afterTaking: caller.author, at: now) { return wait }
        // People of a brand share an office; consumers who share an address may be one program.
        guard case .consumer = caller else { return nil }
        return addressCommands.wait(afterTaking: address, at: now)
    }

    /// Counts a socket of a person. The newest one is refused, because closing the oldest would make clients that
    /// reconnect close each other in turn.
    /// - Returns: what to call when the socket has ended.
    /// - Throws: `rate_limited` where this person has too many.
    func open(_ person: String) throws(Rejection) -> @Sendable () -> Void {
        let isAllowed = sockets.withLock { sockets in
            guard sockets[person, default: 0] < socketsPerPerson else { return false }
            sockets[person, default: 0] += 1
            return true
        }
        guard isAllowed else {
            throw Rejection(
                .rateLimited, "Earshot is open too many times. Close it elsewhere, or wait a moment.",
                limit: socketsPerPerson, retryAfter: retrySeconds)
        }
        return { self.close(person) }
    }

    private func close(_ person: String) {
        sockets.withLock { sockets in
            let left = sockets[person, default: 1] - 1
            sockets[person] = left > 0 ? left : nil
        }
    }
}
