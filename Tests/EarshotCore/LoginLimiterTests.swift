import EarshotModel
import Testing

@testable import EarshotCore

/// Holds password checks until a test lets them go, and notes whose they were.
private actor HeldChecks {
    private var held: [(password: String, continuation: CheckedContinuation<Void, Never>)] = []
    private var watchers: [(Int, CheckedContinuation<Void, Never>)] = []
    private(set) var started: [String] = []

    func check(_ password: String) async -> Bool {
        started.append(password)
        await withCheckedContinuation {
            held.append((password, $0))
            for watcher in watchers where started.count >= watcher.0 { watcher.1.resume() }
            watchers.removeAll { started.count >= $0.0 }
        }
        return password == "right"
    }

    func releaseOne() {
        if !held.isEmpty { held.removeFirst().continuation.resume() }
    }

    func untilStarted(_ count: Int) async {
        guard started.count < count else { return }
        await withCheckedContinuation { watchers.append((count, $0)) }
    }
}

/// Attempts to sign in, and notes who was turned away.
private actor Refused {
    private(set) var names: [String] = []

    func attempt(_ name: String, _ limiter: LoginLimiter) async {
        do { _ = try await limiter.isPassword("x", of: nil, from: .address(name)) } catch { names.append(name) }
    }
}

@Suite("Limits of signing in")
struct LoginLimiterTests {
    private let now = Timestamp(milliseconds: 1_763_757_600_000)

    private func untilWaiting(_ count: Int, in limiter: LoginLimiter) async {
        while await limiter.waitingCount < count { await Task.yield() }
    }

    @Test("An address that fills the queue does not keep another address waiting behind all of its guesses")
    func servesAddressesInTurn() async throws {
        let checks = HeldChecks()
        let limiter = LoginLimiter { password, _ in await checks.check(password) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    _ = try? await limiter.isPassword("flood \(number)", of: nil, from: .address("attacker"))
                }
            }
            await untilWaiting(10, in: limiter)
            group.addTask { _ = try? await limiter.isPassword("mine", of: nil, from: .address("office")) }
            await untilWaiting(11, in: limiter)
            for count in 3...13 {
                await checks.releaseOne()
                await checks.untilStarted(count)
            }
            let place = await checks.started.firstIndex(of: "mine")
            #expect(place.map { $0 <= 3 } == true, "the office was served as number \(place ?? -1)")
            await checks.releaseOne()
            await checks.releaseOne()
        }
    }

    @Test("A full queue takes a newcomer in and turns away the address that has most guesses in it")
    func dropsTheLongest() async throws {
        let checks = HeldChecks()
        let limiter = LoginLimiter { password, _ in await checks.check(password) }
        let refused = Refused()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<LoginLimiter.concurrent {
                group.addTask { await refused.attempt("first", limiter) }
            }
            await checks.untilStarted(LoginLimiter.concurrent)
            let places = LoginLimiter.waiting / LoginLimiter.waitingPerPlace
            for number in 0..<LoginLimiter.waiting {
                group.addTask { await refused.attempt("attacker \(number % places)", limiter) }
            }
            await untilWaiting(LoginLimiter.waiting, in: limiter)
            group.addTask { await refused.attempt("office", limiter) }
            while await refused.names.isEmpty { await Task.yield() }
            let waiting = await limiter.waitingCount
            #expect(waiting == LoginLimiter.waiting)
            for count in LoginLimiter.concurrent + 1...LoginLimiter.concurrent + LoginLimiter.waiting {
                await checks.releaseOne()
                await checks.untilStarted(count)
            }
            for _ in 0..<LoginLimiter.concurrent { await checks.releaseOne() }
        }
        let names = await refused.names
        #expect(names.count == 1 && names[0].hasPrefix("attacker"), "\(names)")
    }

    @Test("A new password is hashed in the turn of the guesses, and its address may have no more waiting than others")
    func hashesInTurn() async throws {
        let checks = HeldChecks()
        let limiter = LoginLimiter { password, _ in
            await checks.check(password)
        } computeHash: { password, _ in
            _ = await checks.check(password)
            return PasswordHash(encoded: password)
        }
        try await withThrowingTaskGroup(of: PasswordHash?.self) { group in
            for _ in 0..<LoginLimiter.concurrent {
                group.addTask { try await limiter.hash("first", salt: [], from: .address("office")) }
            }
            await checks.untilStarted(LoginLimiter.concurrent)
            for _ in 0..<LoginLimiter.waitingPerPlace {
                group.addTask { try await limiter.hash("next", salt: [], from: .address("office")) }
            }
            await untilWaiting(LoginLimiter.waitingPerPlace, in: limiter)
            #expect(await checks.started.count == LoginLimiter.concurrent, "the others wait")
            await #expect(throws: Rejection.unavailable) {
                try await limiter.hash("one too many", salt: [], from: .address("office"))
            }
            let all = LoginLimiter.concurrent + LoginLimiter.waitingPerPlace
            for count in LoginLimiter.concurrent + 1...all {
                await checks.releaseOne()
                await checks.untilStarted(count)
            }
            for _ in 0..<LoginLimiter.concurrent { await checks.releaseOne() }
            for try await hash in group { #expect(hash?.encoded == "first" || hash?.encoded == "next") }
        }
        #expect(await limiter.waitingCount == 0)
    }

    @Test("Those who wait are served in turn, each in their own order")
    func isFair() {
        var queue = FairQueue<String, Int>()
        for number in 0..<3 { queue.append(number, of: "a") }
        queue.append(10, of: "b")
        #expect(queue.count(of: "a") == 3 && queue.count == 4)
        #expect(queue.removeNewestOfLongest() == 2)
        #expect(
            [queue.removeFirst(), queue.removeFirst(), queue.removeFirst(), queue.removeFirst()] == [0, 10, 1, nil])
        #expect(queue.count == 0)
    }

    @Test("Using up a person's attempts does not lock out the browser in which the person signed in before")
    func knownDeviceStaysOpen() throws {
        let limiter = LoginLimiter()
        for number in 0..<5 {
            try limiter.admit(person: "dana", from: .address("attacker \(number)"), at: now)
        }
        #expect(throws: Rejection.self) { try limiter.admit(person: "dana", from: .address("home"), at: now) }
        for _ in 0..<5 { try limiter.admit(person: "dana", from: .device("laptop"), at: now) }
        #expect(throws: Rejection.self) { try limiter.admit(person: "dana", from: .device("laptop"), at: now) }
    }

    @Test("An address that has used its own attempts up takes none off the person's")
    func addressComesFirst() throws {
        let limiter = LoginLimiter()
        for number in 0..<40 { try limiter.admit(person: "other \(number)", from: .address("attacker"), at: now) }
        for _ in 0..<20 {
            #expect(throws: Rejection.self) { try limiter.admit(person: "dana", from: .address("attacker"), at: now) }
        }
        for _ in 0..<5 { try limiter.admit(person: "dana", from: .address("home"), at: now) }
    }

    @Test("A device's cookie is good for the person it was made for only, and cannot be forged")
    func deviceMarks() {
        let marks = DeviceMark(KeyRing([SigningKey(id: "1", secret: [UInt8](repeating: 7, count: 32))]))
        let value = marks.make(for: "brand dana") { [UInt8](repeating: 3, count: $0) }
        #expect(marks.device(value, of: "brand dana", at: now) != nil)
        #expect(marks.device(value, of: "brand omar", at: now) == nil)
        #expect(marks.device(nil, of: "brand dana", at: now) == nil)
        #expect(marks.device(String(repeating: "a", count: 500), of: "brand dana", at: now) == nil)
        for index in value.indices {
            var forged = value
            forged.replaceSubrange(index...index, with: value[index] == "A" ? "B" : "A")
            // The last character of base64url has bits that carry nothing.
            guard index != value.index(before: value.endIndex) else { continue }
            #expect(marks.device(forged, of: "brand dana", at: now) == nil, "\(forged)")
        }
        let others = DeviceMark(KeyRing([SigningKey(id: "1", secret: [UInt8](repeating: 8, count: 32))]))
        #expect(others.device(value, of: "brand dana", at: now) == nil)
    }
}
