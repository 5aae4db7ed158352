import Logging
import ServiceLifecycle

/// Looks every few seconds whether the certificate was renewed, until the server shuts down.
struct CertificateWatcher: Sendable {
    static let interval = Duration.seconds(10)

    private let certificate: ServerCertificate
    private let logger: Logger

    init(_ certificate: ServerCertificate, logger: Logger) {
        self.certificate = certificate
        self.logger = logger
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                check()
            }
        }
    }

    /// Uses a renewed certificate from now on.
    func check() {
        switch certificate.refresh() {
        case .unchanged: break
        case .renewed: logger.notice("The TLS certificate was renewed. New connections use it.")
        case .refused(let fault):
            logger.error(
                "The renewed TLS certificate cannot be used. The one from before stays in use.",
                metadata: ["reason": "\(fault)"])
        }
    }
}
