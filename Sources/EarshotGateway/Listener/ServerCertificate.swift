import Crypto
import Foundation
import NIOSSL
import Synchronization

/// The certificate and key that new TLS connections use. Reads the files again on request, so that a renewed
/// certificate needs no restart; open connections keep the one that they began with.
final class ServerCertificate: Sendable {
    private struct State {
        var context: NIOSSLContext
        /// When the certificate ends, in seconds since 1970.
        var ends: Int
        /// The contents of both files when they were read last, whether they could be used or not.
        var seen: SHA256.Digest
    }

    /// What reading the files again found.
    enum Refresh: Equatable {
        case unchanged
        case renewed
        /// The new files cannot be used; the certificate from before stays.
        case refused(GatewayFault)
    }

    private let certificatePath: String
    private let keyPath: String
    private let state: Mutex<State>

    /// - Throws: `GatewayFault` for files that cannot be used.
    init(certificate: String, key: String) throws(GatewayFault) {
        (certificatePath, keyPath) = (certificate, key)
        let files = Files(certificate, key)
        state = Mutex(State(context: try files.context(), ends: files.ends, seen: files.digest))
    }

    var context: NIOSSLContext { state.withLock { $0.context } }
    /// When the certificate ends, in seconds since 1970.
    var ends: Int { state.withLock { $0.ends } }

    /// Reads both files again and uses them from now on, if they can be used. A change that cannot be used is reported
    /// once.
    func refresh() -> Refresh {
        let files = Files(certificatePath, keyPath)
        guard files.digest != state.withLock({ $0.seen }) else { return .unchanged }
        do throws(GatewayFault) {
            let context = try files.context()
            state.withLock { $0 = State(context: context, ends: files.ends, seen: files.digest) }
            return .renewed
        } catch {
            state.withLock { $0.seen = files.digest }
            return .refused(error)
        }
    }
}

/// The bytes of a certificate file and its key file at one moment.
private struct Files {
    private let certificatePath: String
    private let keyPath: String
    private let certificate: Data?
    private let key: Data?

    init(_ certificatePath: String, _ keyPath: String) {
        (self.certificatePath, self.keyPath) = (certificatePath, keyPath)
        certificate = FileManager.default.contents(atPath: certificatePath)
        key = FileManager.default.contents(atPath: keyPath)
    }

    var digest: SHA256.Digest {
        var hash = SHA256()
        for file in [certificate, key] {
            hash.update(data: Data(SHA256.hash(data: file ?? Data())))
        }
        return hash.finalize()
    }

    /// When the first certificate ends, in seconds since 1970; 0 if there is none.
    var ends: Int {
        (try? NIOSSLCertificate.fromPEMBytes(Array(certificate ?? Data())).first).map { Int($0.notValidAfter) } ?? 0
    }

    func context() throws(GatewayFault) -> NIOSSLContext {
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate ?? Data())) } catch {
            throw GatewayFault("\(certificatePath) is not a PEM certificate.")
        }
        let secret: NIOSSLPrivateKey
        do { secret = try NIOSSLPrivateKey(bytes: Array(key ?? Data()), format: .pem) } catch {
            throw GatewayFault("\(keyPath) is not a PEM private key.")
        }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
        tls.minimumTLSVersion = .tlsv12
        tls.cipherSuiteValues = Self.suites
        tls.applicationProtocols = ["http/1.1"]
        do { return try NIOSSLContext(configuration: tls) } catch {
            throw GatewayFault("\(keyPath) is not the key of \(certificatePath).")
        }
    }

    /// For TLS 1.2: forward secrecy and authenticated encryption only (RFC 9325 section 4.2). The suites of TLS 1.3
    /// are all of that kind.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
}

extension GatewayConfiguration.Security {
    /// The certificate where the server ends TLS itself.
    /// - Throws: `GatewayFault` for files that cannot be used.
    func certificate() throws(GatewayFault) -> ServerCertificate? {
        guard case .tls(let certificate, let key) = self else { return nil }
        return try ServerCertificate(certificate: certificate, key: key)
    }
}
