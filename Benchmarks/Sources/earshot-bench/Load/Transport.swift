import CLoad
import Glibc

/// One TCP connection, plain or with TLS 1.3, without any protocol above it.
struct Transport: ~Copyable {
    /// The result of a read, a write or a step of the handshake.
    enum Outcome {
        case bytes(Int)
        case wantsRead
        case wantsWrite
        case closed
    }

    let descriptor: Int32
    private let session: OpaquePointer?

    /// - Parameter source: the loopback address to come from, its last 24 bits; servers allow an address only so much.
    init(port: UInt16, source: UInt32 = 0, tls: TLS? = nil, isBlocking: Bool = false, receiveBuffer: Int32 = 0) throws {
        descriptor = cload_connect(port, source, isBlocking ? 1 : 0, receiveBuffer)
        guard descriptor >= 0 else {
            throw Failure("cannot connect to port \(port): \(String(cString: strerror(-descriptor)))")
        }
        session = tls?.session(on: descriptor)
    }

    var isTLS: Bool { session != nil }

    func handshake() -> Outcome {
        guard let session else { return .bytes(0) }
        let result = SSL_connect(session)
        return result == 1 ? .bytes(0) : outcome(of: result, session)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        if let session {
            let count = SSL_read(session, buffer.baseAddress, Int32(buffer.count))
            return count > 0 ? .bytes(Int(count)) : outcome(of: count, session)
        }
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        return count > 0 ? .bytes(count) : count < 0 && errno == EAGAIN ? .wantsRead : .closed
    }

    func write(_ buffer: UnsafeRawBufferPointer) -> Outcome {
        if let session {
            let count = SSL_write(session, buffer.baseAddress, Int32(buffer.count))
            return count > 0 ? .bytes(Int(count)) : outcome(of: count, session)
        }
        let count = Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        return count >= 0 ? .bytes(count) : errno == EAGAIN ? .wantsWrite : .closed
    }

    /// TCP payload so far, as the kernel counts it: handshakes, records and all.
    var countedBytes: (up: Int, down: Int) {
        var up: UInt64 = 0
        var down: UInt64 = 0
        cload_counted_bytes(descriptor, &up, &down)
        return (Int(up), Int(down))
    }

    /// Makes the close look like a lost network.
    func dropOnClose() { cload_drop_on_close(descriptor) }

    deinit {
        if let session { SSL_free(session) }
        close(descriptor)
    }

    private func outcome(of result: Int32, _ session: OpaquePointer) -> Outcome {
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: .wantsRead
        case SSL_ERROR_WANT_WRITE: .wantsWrite
        default: .closed
        }
    }
}

/// TLS for clients of the server under test.
struct TLS {
    private let context: OpaquePointer

    init() throws {
        guard let context = cload_tls_context() else { throw Failure("OpenSSL gives no context") }
        self.context = context
    }

    func session(on descriptor: Int32) -> OpaquePointer? {
        let session = SSL_new(context)
        SSL_set_fd(session, descriptor)
        cload_tls_name(session, "localhost")
        return session
    }
}
