import Dispatch
import EarshotDomain
import EarshotModel

/// Limits password guessing: the rate per person and per network address, and how many guesses are computed at a time.
actor LoginLimiter {
    /// 5 attempts at once, then one every 6 s: at most 10 guesses a minute for one person.
    static let perPerson = LeakyBucket.Rule(burst: 5, refillMs: 6_000)
    /// Higher than for a person, because a whole office may sign in from one address at nine o'clock.
    static let perAddress = LeakyBucket.Rule(burst: 40, refillMs: 1_200)
    /// Guesses computed at a time. scrypt takes 64 MiB for each; the others wait.
    static let concurrent = 2
    /// Guesses that may wait; further ones are refused as `unavailable`.
    static let waiting = 100

    private nonisolated let persons = Throttle(perPerson)
    private nonisolated let addresses = Throttle(perAddress)
    private var running = 0
    private var queue: [CheckedContinuation<Void, Never>] = []

    /// Takes an attempt off the allowances of the person and of the address.
    /// - Throws: `rate_limited`.
    nonisolated func admit(person: String, address: String, at now: Timestamp) throws(Rejection) {
        try addresses.take(address, at: now)
        try persons.take(person, at: now)
    }

    /// Checks a password. An agent that does not exist takes the same time and gets the same answer as a wrong
    /// password.
    func isPassword(_ password: String, of agent: Agent?) async throws -> Bool {
        if running >= Self.concurrent {
            guard queue.count < Self.waiting else { throw Rejection.unavailable }
            await withCheckedContinuation { queue.append($0) }
        } else {
            running += 1
        }
        defer { startNext() }
        return await Self.compute(password, of: agent)
    }

    /// Passes this slot to the next waiting guess, or frees it.
    private func startNext() {
        if queue.isEmpty { running -= 1 } else { queue.removeFirst().resume() }
    }

    /// Computes on a separate thread, because a guess takes a large part of a second and must not block the shared
    /// thread pool.
    private static func compute(_ password: String, of agent: Agent?) async -> Bool {
        await withCheckedContinuation { continuation in
            computing.async {
                let isRight = Passwords.verify(password, against: agent?.password ?? Passwords.placeholder)
                continuation.resume(returning: isRight && agent != nil)
            }
        }
    }

    private static let computing = DispatchQueue(label: "earshot.passwords", qos: .utility, attributes: .concurrent)
}
