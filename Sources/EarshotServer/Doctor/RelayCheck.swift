import Crypto
import EarshotCore
import EarshotModel

/// Checks each server that helps calls connect: takes two places on a relay, passes a packet from one to the other, and
/// makes sure that it reaches no machine near the relay.
struct RelayCheck {
    let relay: RelayConfiguration
    /// A PEM file with a private certificate authority.
    let authority: String?

    func findings() async -> [Finding] {
        let secret: SymmetricKey?
        do { secret = try relay.secret() } catch {
            return [Finding("relay", .bad, "\(error)", remedy: "See docs/how-to/relay-calls.md.")]
        }
        guard !relay.urls.isEmpty else {
            return [
                Finding(
                    "relay", .good,
                    "none is configured: calls connect where both sides reach each other "
                        + "(docs/how-to/relay-calls.md)")
            ]
        }
        let credential = RelayCredential(
            name: "doctor", secret: secret ?? .init(size: .bits256), at: SystemEnvironment.system.now())
        var findings: [Finding] = []
        for (url, address) in zip(relay.urls, relay.urls.map(RelayAddress.init)) {
            guard let address else { continue }
            let probe = RelayProbe(address: address, credential: credential, authority: authority)
            findings.append(Self.finding(url, await probe.run()))
        }
        return findings
    }

    private static func finding(_ url: String, _ result: RelayProbe.Result) -> Finding {
        let how = "See docs/how-to/relay-calls.md."
        switch result {
        case .works: return Finding("relay", .good, "\(url) works")
        case .refusesPassword:
            return Finding(
                "relay", .bad, "\(url) refuses our password",
                remedy: "EARSHOT_RELAY_SECRET_FILE and static-auth-secret must be the same, and both clocks right.")
        case .refuses(let what, let code):
            return Finding("relay", .bad, "\(url) refuses \(what) (\(code))", remedy: how)
        case .isOpen(let peer):
            return Finding(
                "relay", .bad, "\(url) lets callers reach machines near it, such as \(peer)",
                remedy: "Use the lines denied-peer-ip of the shipped turnserver.conf. \(how)")
        case .losesPackets:
            return Finding(
                "relay", .bad, "\(url) gives addresses, but packets between them do not arrive",
                remedy: "Let the ports min-port to max-port through the firewall, and set relay-ip or external-ip.")
        case .isUnreachable(let why):
            return Finding(
                "relay", .bad, "no answer from \(url): \(why)",
                remedy: "Start the relay, and let its port through the firewall.")
        }
    }
}
