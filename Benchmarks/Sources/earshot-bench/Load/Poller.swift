import CLoad
import Glibc

/// An owner of a file descriptor that the poller watches.
protocol Pollable: AnyObject {
    var descriptor: Int32 { get }
    func ready(canRead: Bool, canWrite: Bool)
}

/// The event loop of the load client: one thread, one epoll, no locks.
final class Poller {
    private static let capacity = 512
    private let epoll: Int32
    private var members: [(any Pollable)?] = []
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
    /// The shared read buffer. Only one member uses it at a time.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    init() { epoll = epoll_create1(Int32(EPOLL_CLOEXEC)) }

    deinit {
        close(epoll)
        events.deallocate()
        scratch.deallocate()
    }

    func add(_ member: any Pollable, writable: Bool) {
        let index = Int(member.descriptor)
        if index >= members.count { members += Array(repeating: nil, count: index + 1024 - members.count) }
        members[index] = member
        cload_watch(epoll, EPOLL_CTL_ADD, member.descriptor, mask(writable))
    }

    func change(_ member: any Pollable, writable: Bool) {
        cload_watch(epoll, EPOLL_CTL_MOD, member.descriptor, mask(writable))
    }

    /// Reports only the end of this descriptor from now on.
    func ignore(_ member: any Pollable) { cload_watch(epoll, EPOLL_CTL_MOD, member.descriptor, 0) }

    func remove(_ member: any Pollable) {
        cload_watch(epoll, EPOLL_CTL_DEL, member.descriptor, 0)
        members[Int(member.descriptor)] = nil
    }

    /// One turn: waits until something is ready or `deadline` is there, and lets everything that is ready have its
    /// turn.
    func turn(until deadline: Int64) {
        let count = cload_wait(epoll, events, Int32(Self.capacity), max(0, deadline - now()))
        for index in 0..<max(0, Int(count)) {
            let flags = events[index].events
            members[Int(cload_ready_descriptor(events + index))]?.ready(
                canRead: flags & (EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0,
                canWrite: flags & EPOLLOUT.rawValue != 0)
        }
    }

    /// Runs until `condition` holds.
    func run(for what: String, until condition: () throws -> Bool) throws {
        let deadline = now() + Int64(patience * Double(nanosecondsPerSecond))
        while try !condition() {
            guard now() < deadline else { throw Failure("\(what): not within \(Int(patience)) s") }
            turn(until: min(deadline, now() + 10_000_000))
        }
    }

    /// Runs for a while.
    func run(seconds: Double) {
        let deadline = now() + Int64(seconds * Double(nanosecondsPerSecond))
        while now() < deadline { turn(until: deadline) }
    }

    private func mask(_ writable: Bool) -> UInt32 { EPOLLIN.rawValue | (writable ? EPOLLOUT.rawValue : 0) }
}
