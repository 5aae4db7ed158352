import EarshotDomain
import EarshotModel

/// Limits password guessing: how often a person, a device and a network address may try, and how many guesses are
/// computed at a time. New passwords are hashed in the same turn, because that costs as much.
///
/// Guesses that wait are served in turn by where they come from, and where the queue is full, the place that has most
/// guesses in it loses its newest: no place can shut out the others.
actor LoginLimiter {
    /// 5 attempts at once, then one every 6 s: at most 10 guesses a minute for one person.
    static let perPerson = LeakyBucket.Rule(burst: 5, refillMs: 6_000)
    /// Higher than for a person, because a whole office may sign in from one address at nine o'clock.
    static let perAddress = LeakyBucket.Rule(burst: 40, refillMs: 1_200)
    /// 5 codes of a second factor at once, then one every 5 minutes. Three of a million codes are right at a time:
    /// someone who knows the password and guesses all day is right with a chance of about 1 in 1,100.
    static let perCode = LeakyBucket.Rule(burst: 5, refillMs: 300_000)
    /// Guesses computed at a time. scrypt takes 64 MiB for each; the others wait.
    static let concurrent = 2
    /// Guesses that may wait; then the place with most of them loses one as `unavailable`.
    static let waiting = 100
    /// Guesses that may wait from one place.
    static let waitingPerPlace = 20

    /// Checks a password against a hash.
    typealias Verification = @Sendable (_ password: String, _ hash: PasswordHash) async -> Bool
    /// Hashes a password.
    typealias Hashing = @Sendable (_ password: String, _ salt: [UInt8]) async throws -> PasswordHash

    /// Where an attempt comes from: a device that is known for the person, or a network address.
    enum Place: Hashable, Sendable {
        case device(String)
        case address(String)
    }

    private nonisolated let persons = Throttle(perPerson)
    private nonisolated let devices = Throttle(perPerson)
    private nonisolated let addresses = Throttle(perAddress)
    private nonisolated let codes = Throttle(perCode)
    private let verify: Verification
    private let computeHash: Hashing
    private var running = 0
    private var queue = FairQueue<Place, CheckedContinuation<Bool, Never>>()

    init(
        verify: @escaping Verification = Passwords.verification,
        computeHash: @escaping Hashing = { try await Passwords.compute($0, salt: $1) }
    ) {
        self.verify = verify
        self.computeHash = computeHash
    }

    /// Takes an attempt off the allowance of the device if it is known, otherwise off those of the address and of the
    /// person. The address comes first: an address that guesses costs the person nothing once it has used its own up.
    /// - Throws: `rate_limited`.
    nonisolated func admit(person: String, from place: Place, at now: Timestamp) throws(Rejection) {
        switch place {
        case .device(let device): try devices.take(device, at: now)
        case .address(let address):
            try addresses.take(address, at: now)
            try persons.take(person, at: now)
        }
    }

    /// Takes a code of a second factor off the allowance of the person, wherever it comes from; a device that is known
    /// for the person has its own, so that others who know the password cannot lock the person out.
    /// - Throws: `rate_limited`.
    nonisolated func admitCode(person: String, from place: Place, at now: Timestamp) throws(Rejection) {
        switch place {
        case .device(let device): try codes.take("\(person) \(device)", at: now)
        case .address: try codes.take(person, at: now)
        }
    }

    /// Checks a password. An agent that does not exist, or has no password yet, takes the same time and gets the same
    /// answer as a wrong password.
    /// - Throws: `unavailable` if too many guesses wait.
    func isPassword(_ password: String, of agent: Agent?, from place: Place) async throws -> Bool {
        try await begin(at: place)
        defer { startNext() }
        let hash = agent.flatMap { $0.password == .none ? nil : $0.password }
        return await verify(password, hash ?? Passwords.placeholder) && hash != nil
    }

    /// Hashes a new password.
    /// - Throws: `unavailable` if too many guesses wait.
    func hash(_ password: String, salt: [UInt8], from place: Place) async throws -> PasswordHash {
        try await begin(at: place)
        defer { startNext() }
        return try await computeHash(password, salt)
    }

    /// How many guesses wait.
    var waitingCount: Int { queue.count }

    /// Takes a slot, or waits for one.
    private func begin(at place: Place) async throws(Rejection) {
        guard running >= Self.concurrent else {
            running += 1
            return
        }
        guard await wait(at: place) else { throw .unavailable }
    }

    /// Waits for a slot.
    /// - Returns: whether it was given one.
    private func wait(at place: Place) async -> Bool {
        guard queue.count(of: place) < Self.waitingPerPlace else { return false }
        if queue.count >= Self.waiting { queue.removeNewestOfLongest()?.resume(returning: false) }
        return await withCheckedContinuation { queue.append($0, of: place) }
    }

    /// Passes this slot to the next waiting guess, or frees it.
    private func startNext() {
        if let next = queue.removeFirst() { next.resume(returning: true) } else { running -= 1 }
    }
}
