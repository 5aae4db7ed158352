import CLoad
import Glibc

/// Receives the events of a client's WebSocket.
protocol SocketListener: AnyObject {
    /// The upgrade is complete: send hello.
    func opened(_ client: SocketClient)
    /// A complete text frame arrived.
    func played(_ client: SocketClient, _ frame: UnsafeRawBufferPointer)
    /// The connection ended. `code` is the server's close code, if it sent one.
    func closed(_ client: SocketClient, code: Int?)
}

/// A WebSocket client on the poller. It checks enough to notice a server that breaks RFC 6455.
final class SocketClient: Pollable {
    enum Phase { case connecting, upgrading, open, closed }

    /// The listener's id for this client.
    let number: Int
    let descriptor: Int32
    private(set) var phase = Phase.connecting
    /// How it ended, in words.
    private(set) var lastWords = ""
    /// Stops reading, so that its socket fills up.
    private(set) var isStalled = false
    let poller: Poller
    let listener: any SocketListener
    private var transport: Transport?
    private var outgoing: [UInt8] = []
    private var waitsForWrite = true
    private var masks = Random(seed: 0x5bd1_e995)
    var incoming: [UInt8] = []

    init(
        number: Int, port: UInt16, poller: Poller, listener: any SocketListener, source: UInt32 = 0, tls: TLS? = nil,
        receiveBuffer: Int32 = 0
    ) throws {
        let transport = try Transport(port: port, source: source, tls: tls, receiveBuffer: receiveBuffer)
        descriptor = transport.descriptor
        self.transport = consume transport
        self.number = number
        self.poller = poller
        self.listener = listener
        poller.add(self, writable: true)
    }

    var countedBytes: (up: Int, down: Int) { transport?.countedBytes ?? (0, 0) }

    func send(_ text: String) {
        var text = text
        text.withUTF8 { send(UnsafeRawBufferPointer($0)) }
    }

    /// Sends one text frame, at once unless the socket is full.
    func send(_ payload: UnsafeRawBufferPointer, opcode: UInt8 = 0x1) {
        guard phase == .open else { return }
        Frames.append(to: &outgoing, opcode: opcode, payload, mask: UInt32(truncatingIfNeeded: masks.next()))
        if !waitsForWrite { flush() }
    }

    /// Closes the connection: `politely` with a close frame, otherwise like a failing network.
    func close(politely: Bool = false) {
        if politely {
            withUnsafeBytes(of: UInt16(1000).bigEndian) { send($0, opcode: 0x8) }
        } else {
            transport?.dropOnClose()
        }
        finish()
    }

    func stall() {
        isStalled = true
        poller.ignore(self)
    }

    func ready(canRead: Bool, canWrite: Bool) {
        if isStalled { return end(code: nil) }
        if phase == .connecting { return handshake() }
        if canWrite { flush() }
        if canRead { readAll() }
    }

    /// The server closed the connection.
    func end(code: Int?) {
        guard phase != .closed else { return }
        lastWords =
            "closed while \(phase), code \(code.map(String.init) ?? "none"), \(String(cString: strerror(errno)))"
        finish()
        listener.closed(self, code: code)
    }

    /// The upgrade was answered.
    func open() {
        phase = .open
        listener.opened(self)
    }

    private func finish() {
        guard phase != .closed else { return }
        phase = .closed
        poller.remove(self)
        transport = nil
        outgoing = []
        incoming = []
    }

    private func handshake() {
        switch transport?.handshake() {
        case .bytes:
            phase = .upgrading
            outgoing += Frames.upgradeRequest.utf8
            flush()
        case .wantsRead: poller.change(self, writable: false)
        case .wantsWrite: poller.change(self, writable: true)
        case .closed, nil: end(code: nil)
        }
    }

    private func flush() {
        while !outgoing.isEmpty {
            switch outgoing.withUnsafeBytes({ transport?.write($0) }) {
            case .bytes(let count) where count == outgoing.count: outgoing.removeAll(keepingCapacity: true)
            case .bytes(let count): outgoing.removeFirst(count)
            case .wantsRead, .wantsWrite: return wait(forWrite: true)
            case .closed, nil: return end(code: nil)
            }
        }
        wait(forWrite: false)
    }

    private func wait(forWrite: Bool) {
        guard waitsForWrite != forWrite else { return }
        waitsForWrite = forWrite
        poller.change(self, writable: forWrite)
    }

    private func readAll() {
        while phase != .closed {
            switch transport?.read(into: poller.scratch) {
            case .bytes(let count):
                take(UnsafeRawBufferPointer(rebasing: poller.scratch[..<count]))
                // A plain socket that filled less than the buffer is empty; TLS may hold more.
                if count < poller.scratch.count, transport?.isTLS != true { return }
            case .wantsRead, .wantsWrite: return
            case .closed, nil: return end(code: nil)
            }
        }
    }
}
