import EarshotGateway
import NIOCore

#if canImport(Glibc)
    import Glibc
#endif

/// A listening socket that the service manager opened and hands over (systemd socket activation, `sd_listen_fds(3)`).
/// It keeps queueing connections while one server ends and the next one starts.
struct SocketActivation: Equatable {
    let descriptor: CInt
    /// The address that the socket listens on.
    let host: String
    let port: Int

    private static let firstDescriptor: CInt = 3

    /// The socket that was handed over to this process; `nil` where there is none.
    /// - Throws: `GatewayFault` where what was handed over is not one listening TCP socket.
    init?(environment: [String: String], process: Int32) throws(GatewayFault) {
        guard let count = environment["LISTEN_FDS"], environment["LISTEN_PID"] == String(process) else { return nil }
        guard count == "1" else {
            throw GatewayFault("LISTEN_FDS is \(count), but Earshot listens on one socket. Declare one ListenStream=.")
        }
        guard Self.isListening(Self.firstDescriptor), let address = Self.address(of: Self.firstDescriptor),
            let host = address.ipAddress, let port = address.port
        else { throw GatewayFault("The socket that was handed over (LISTEN_FDS) is not a listening TCP socket.") }
        // Media workers must not inherit it.
        _ = fcntl(Self.firstDescriptor, F_SETFD, FD_CLOEXEC)
        (descriptor, self.host, self.port) = (Self.firstDescriptor, host, port)
    }

    private static func isListening(_ descriptor: CInt) -> Bool {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0
    }

    private static func address(of descriptor: CInt) -> SocketAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                guard getsockname(descriptor, name, &size) == 0 else { return nil }
                switch Int32(name.pointee.sa_family) {
                case AF_INET:
                    return name.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        SocketAddress($0.pointee, host: "")
                    }
                case AF_INET6:
                    return name.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        SocketAddress($0.pointee, host: "")
                    }
                default: return nil
                }
            }
        }
    }
}
