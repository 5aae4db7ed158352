extension MessageLoad {
    /// Sends messages at a fixed rate without waiting for answers (an open loop): independent arrivals, conversations
    /// in turn. A late send still counts from when it was due.
    func offer(perSecond rate: Double, seconds: Double, random: inout Random) {
        let start = now()
        let end = start + Int64(seconds * Double(nanosecondsPerSecond))
        var due = start
        while true {
            due += random.interval(perSecond: rate)
            if due >= end { break }
            while now() < due { poller.turn(until: due) }
            // When behind schedule, answers are still read between sends.
            if count & 15 == 15 { poller.turn(until: 0) }
            say(in: count % conversations.count, due: due)
        }
    }

    /// Each conversation has one message in flight at all times (a closed loop). Returns how many were acknowledged in
    /// the measured seconds, per second.
    func saturate(warmUp: Double, seconds: Double, inFlightEach: Int) throws -> Double {
        var acks = 0
        var goesOn = true
        onAck = { [unowned self] conversation in
            acks += 1
            if goesOn { say(in: conversation, due: now()) }
        }
        for _ in 0..<inFlightEach {
            for conversation in conversations.indices { say(in: conversation, due: now()) }
        }
        poller.run(seconds: warmUp)
        let (start, before) = (now(), acks)
        poller.run(seconds: seconds)
        let rate = Double(acks - before) / Double(now() - start) * Double(nanosecondsPerSecond)
        goesOn = false
        try settle()
        onAck = nil
        return rate
    }

    /// Sends `messages` texts as fast as the server accepts them, a few in flight per conversation, and checks them.
    func write(_ messages: Int) throws {
        onAck = { [unowned self] conversation in
            if count < messages { say(in: conversation, due: now()) }
        }
        for index in 0..<min(messages, 2 * conversations.count) { say(in: index % conversations.count, due: now()) }
        try poller.run(for: "writing \(messages) messages") {
            count >= messages && open == 0 || !faults.isEmpty
        }
        onAck = nil
        try settle()
    }

    /// Waits until everything said is acknowledged and delivered, and holds the books to it: each exactly once, in
    /// order, under the sequence it was acknowledged with.
    func settle() throws {
        try poller.run(for: "the last messages") { open == 0 && delivered.last != 0 || !faults.isEmpty }
        try poller.run(for: "the last deliveries") { !delivered.contains(0) || !faults.isEmpty }
        for number in 0..<count where acked[number] != delivered[number] {
            fault("message \(number) was acknowledged as \(acked[number]) and delivered as \(delivered[number])")
        }
        guard faults.isEmpty else { throw Failure(faults.joined(separator: "\n")) }
    }

    /// The latencies of the messages from `first` on.
    func latencies(from first: Int) -> Latencies { Latencies(Array(took[first...])) }
}
