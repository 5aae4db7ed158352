import EarshotGateway
import EarshotModel
import Foundation
import NIOSSL

/// Goes through the public address as a browser does: TLS, the proxy, sockets, uploads.
struct PublicAddressCheck: Sendable {
    /// The days before the end of a certificate on which the doctor warns.
    private static let renewalDays = 14

    let configuration: ServerConfiguration
    /// A PEM file with a private certificate authority.
    let authority: String?

    /// What is found on the way to the server that knows this token; nothing without a public address.
    func findings(_ token: DoctorToken) async -> [Finding] {
        guard let url = configuration.publicURL, let target = ProbeConnection.Target(url) else { return [] }
        let connection: ProbeConnection
        do { connection = try ProbeConnection(target, authority: authority) } catch {
            return [Finding("public", .bad, "\(authority ?? "") cannot be read", remedy: "Give a PEM file to --ca.")]
        }
        let reply: ProbeConnection.Reply
        do { reply = try await connection.send("GET", "/v1/live") } catch {
            return [unreachable(url, error)]
        }
        var findings = reply.certificateEnds.map { [certificate(until: $0)] } ?? []
        guard reply.status == 200, reply.body.contains(#""status""#) else {
            findings.append(
                Finding(
                    "proxy", .bad, "\(url) answers \(reply.status), and not as Earshot does",
                    remedy: "Let the proxy pass everything on to \(configuration.host):\(configuration.port)."))
            return findings
        }
        guard let server = await RunningServer.ask(url, token, authority: authority) else {
            findings.append(
                Finding(
                    "proxy", .bad, "\(url) leads to another Earshot server than the one on this data folder",
                    remedy: "Check EARSHOT_PUBLIC_URL, the proxy's upstream and EARSHOT_DATA."))
            return findings
        }
        findings.append(forwarding(server))
        findings.append(await socket(connection, url))
        findings.append(await upload(connection))
        return findings
    }

    private func unreachable(_ url: String, _ error: any Error) -> Finding {
        if error is NIOSSLError || error is BoringSSLError || "\(error)".contains("certificate") {
            return Finding(
                "tls", .bad, "browsers refuse the certificate of \(url): \(error)",
                remedy:
                    "Install a certificate for this name with its whole chain that has not expired. For a private "
                    + "certificate authority, name its file with --ca.")
        }
        return Finding(
            "public", .bad, "\(url) cannot be reached from this machine: \(error)",
            remedy: "Check the name, the firewall and the proxy. The server itself must be running, too.")
    }

    private func certificate(until end: Date) -> Finding {
        let days = Int(end.timeIntervalSinceNow / 86_400)
        guard days >= Self.renewalDays else {
            return Finding(
                "tls", .warning, "the certificate ends in \(days) \(days == 1 ? "day" : "days")",
                remedy: "Renew it, and check that it is renewed automatically.")
        }
        return Finding("tls", .good, "the certificate is valid for \(days) more days")
    }

    private func forwarding(_ server: RunningServer) -> Finding {
        guard !configuration.trustedProxies.isEmpty else {
            return Finding("proxy", .good, "none is configured: browsers reach Earshot itself")
        }
        switch server.forwarding {
        case .used: return Finding("proxy", .good, "it tells Earshot the addresses of its clients")
        case .missing, .direct:
            return Finding(
                "proxy", .bad, "it does not send X-Forwarded-For: all visitors share one allowance",
                remedy: "nginx: proxy_set_header X-Forwarded-For $remote_addr; in every location.")
        case .unreadable:
            return Finding(
                "proxy", .bad, "Earshot cannot read its X-Forwarded-For: all visitors share one allowance",
                remedy: "It must hold addresses, divided by commas.")
        case .unknownProxy:
            return Finding(
                "proxy", .bad, "requests come from an address that EARSHOT_TRUSTED_PROXIES does not name",
                remedy: "Add the proxy's address to EARSHOT_TRUSTED_PROXIES.")
        }
    }

    private func socket(_ connection: ProbeConnection, _ url: String) async -> Finding {
        let headers = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "ZWFyc2hvdCBkb2N0b3IuLg=="), ("Origin", url),
        ]
        let reply = try? await connection.send("GET", "/v1/socket", headers: headers)
        guard reply?.status == 101 else {
            return Finding(
                "socket", .bad, "WebSockets do not get through the proxy: it answers \(reply?.status ?? 0), not 101",
                remedy:
                    "nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; "
                    + "proxy_set_header Connection upgrade; for /v1/socket.")
        }
        return Finding("socket", .good, "WebSockets get through")
    }

    /// Sends a chunk of a recording without credentials: Earshot refuses it as not signed in, a proxy as too large.
    private func upload(_ connection: ProbeConnection) async -> Finding {
        let chunk = [UInt8](repeating: 0, count: Limits.uploadChunkBytes)
        let reply = try? await connection.send(
            "PATCH", "/v1/uploads/doctor?offset=0", headers: [("Content-Type", "application/octet-stream")], body: chunk
        )
        guard let reply, reply.status == 401 else {
            return Finding(
                "uploads", .bad, "recordings do not get through the proxy: it answers \(reply?.status ?? 0)",
                remedy: "It must take bodies of 1 MiB. nginx: client_max_body_size 2m;")
        }
        return Finding("uploads", .good, "recordings get through, in chunks of 1 MiB")
    }
}
