import Foundation

extension Doctor {
    /// Checks the address that browsers use.
    func address() -> [Finding] {
        var findings = [browserAddress()]
        if let tls = configuration.tls { findings.append(certificate(tls)) }
        return findings
    }

    private func browserAddress() -> Finding {
        guard let url = configuration.publicURL else {
            if configuration.isLoopback {
                return Finding(
                    "address", .good, "http://localhost:\(configuration.port), for browsers on this machine only")
            }
            return Finding(
                "address", .bad, "other machines can reach this server, but EARSHOT_PUBLIC_URL is not set",
                remedy: "Set it to the address that browsers use, for example https://chat.shop.example.")
        }
        let isLocal = ["http://localhost", "http://127."].contains { url.hasPrefix($0) }
        guard url.hasPrefix("https://") || isLocal else {
            return Finding(
                "address", .bad, "\(url) is not https, so browsers do not allow the microphone",
                remedy: "Configure TLS; see docs/operating.md.")
        }
        return Finding("address", .good, url)
    }

    private func certificate(_ tls: ServerConfiguration.TLSFiles) -> Finding {
        let unreadable = [tls.certificate, tls.key].filter { !FileManager.default.isReadableFile(atPath: $0) }
        guard unreadable.isEmpty else {
            return Finding(
                "tls", .bad, "cannot read \(unreadable.joined(separator: " and "))",
                remedy: "Check the paths and their permissions.")
        }
        return Finding("tls", .good, "certificate and key are readable")
    }
}
