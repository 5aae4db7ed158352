import CLoad
import Glibc

/// Conversations, each with a consumer's socket that says things and a second socket of the same consumer that gets
/// them; and the books of what was said.
///
/// Every message carries its own number in its key and its text, so that each is followed from send to acknowledgement
/// and delivery.
final class MessageLoad: SocketListener {
    struct Conversation {
        var speaker: SocketClient?
        var hearer: SocketClient?
        /// The last event that the receiving socket got.
        var playedThrough = 0
        var isReady = (false, false)
    }

    let poller: Poller
    let consumers: [Consumer]
    var conversations: [Conversation]
    /// By message number: when it was due, its acknowledged sequence, its delivered sequence, and how long the delivery
    /// took.
    private(set) var dueAt: [Int64] = []
    private(set) var acked: [Int32] = []
    private(set) var delivered: [Int32] = []
    private(set) var took: [Int64] = []
    private(set) var open = 0
    private(set) var faults: [String] = []
    /// Told of every acknowledged message's conversation: a closed loop says the next one.
    var onAck: ((Int) -> Void)?
    private let filling: String
    private var ready = 0

    /// Logs all consumers in.
    init(conversations count: Int, port: UInt16, poller: Poller, textLength: Int = 100) throws {
        self.poller = poller
        consumers = try Consumer.make(count, port: port)
        conversations = Array(repeating: Conversation(), count: count)
        filling = String(
            String(repeating: " hello, where is my order?", count: textLength / 20 + 1).prefix(textLength - 10))
        for index in 0..<count {
            conversations[index].speaker = try SocketClient(
                number: index * 2, port: port, poller: poller, listener: self)
            conversations[index].hearer = try SocketClient(
                number: index * 2 + 1, port: port, poller: poller, listener: self)
            if index % 64 == 63 { try poller.run(for: "logging in") { ready >= (index - 63) * 2 } }
        }
        try poller.run(for: "logging in") { ready == count * 2 }
    }

    var count: Int { dueAt.count }

    /// Sends one message in a conversation. Its latency counts from when it was due.
    func say(in conversation: Int, due: Int64) {
        let number = dueAt.count
        dueAt.append(due)
        acked.append(0)
        delivered.append(0)
        took.append(0)
        open += 1
        conversations[conversation].speaker?.send(#"{"send":"m\#(number)","text":"@\#(number) \#(filling)"}"#)
    }

    func opened(_ client: SocketClient) { client.send(consumers[client.number / 2].hello()) }

    func closed(_ client: SocketClient, code: Int?) { fault("client \(client.number): \(client.lastWords)") }

    func played(_ client: SocketClient, _ frame: UnsafeRawBufferPointer) {
        var scan = Scan(frame)
        if scan.begins(with: #"{"ok":"#) {
            acknowledge(client, &scan)
        } else if scan.begins(with: #"{"events":"#) {
            deliver(client, &scan)
        } else if scan.begins(with: #"{"ready":"#) {
            ready += 1
        } else if scan.begins(with: #"{"no":"#) || scan.begins(with: #"{"problem":"#) || scan.begins(with: #"{"bye":"#)
        {
            fault(scan.text)
        }
    }

    private func acknowledge(_ client: SocketClient, _ scan: inout Scan) {
        guard let number = scan.number(after: #"{"ok":"m"#), number < count, let n = scan.number(after: #""n":"#) else {
            return fault(scan.text)
        }
        if acked[number] != 0 { fault("message \(number) was acknowledged twice") }
        acked[number] = Int32(n)
        open -= 1
        onAck?(client.number / 2)
    }

    private func deliver(_ client: SocketClient, _ scan: inout Scan) {
        guard client.number & 1 == 1 else { return }
        let index = client.number / 2
        let time = now()
        while let n = scan.number(after: #"{"n":"#) {
            if n != conversations[index].playedThrough + 1 {
                fault("after event \(conversations[index].playedThrough) came \(n)")
            }
            conversations[index].playedThrough = n
            var rest = scan
            guard let number = rest.number(after: #""text":"@"#), isBeforeNextEvent(rest, scan) else { continue }
            scan = rest
            if number >= count || delivered[number] != 0 { fault("message \(number) came twice, or was never said") }
            if number < count { (delivered[number], took[number]) = (Int32(n), time - dueAt[number]) }
        }
    }

    /// Whether the text found belongs to this event, and not to one behind it.
    private func isBeforeNextEvent(_ text: Scan, _ event: Scan) -> Bool {
        var next = event
        return !next.skip(to: #"{"n":"#) || next.position > text.position
    }

    func fault(_ what: String) {
        if faults.count < 10 { faults.append(what) }
    }
}
