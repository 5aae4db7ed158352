import EarshotMedia
import Logging

extension Doctor {
    /// The signature with which clamd finds our canaries: a line for a file NAME.ndb in its DatabaseDirectory.
    public static var scannerSignature: String { Scanner.signature }

    /// Checks that the scanner answers, and that it finds a canary in every container and at the end of the largest
    /// recording.
    func scanner() async -> Finding {
        guard let address = configuration.clamd else {
            return Finding(
                "scanner", .warning,
                "none is configured: recordings are not scanned, and other people only get our re-encoding of them",
                remedy: "Set EARSHOT_CLAMD; see docs/how-to/scan-with-clamav.md.")
        }
        let scanner = Scanner(
            .init(address: address), logger: Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() })
        switch await scanner.selfTest(includesLargeStream: true).health {
        case .good:
            return Finding("scanner", .good, "\(address) found our canary in every container, and at the end of 16 MB")
        case .unreachable(let why):
            return Finding(
                "scanner", .bad, "no answer from \(address): \(why)",
                remedy:
                    "Start clamd, and add Earshot's user to the group of its socket. "
                    + "Until then voice messages are held back."
            )
        case .missesContainers(let missed):
            return Finding(
                "scanner", .bad, "\(address) does not find our canary in \(missed.sorted().joined(separator: ", "))",
                remedy:
                    "Write the output of `earshot scanner-signature` to earshot.ndb in clamd's DatabaseDirectory, "
                    + "and reload clamd."
            )
        case .missesLargeStreams(let answer):
            return Finding(
                "scanner", .bad, "\(address) does not look into 16 MB: it answers \"\(answer)\"",
                remedy:
                    "Set StreamMaxLength 25M, MaxFileSize 25M, MaxScanSize 100M and AlertExceedsMax yes in clamd.conf, "
                    + "and restart clamd."
            )
        case .unknown: return Finding("scanner", .bad, "\(address) has not been checked yet")
        }
    }
}
