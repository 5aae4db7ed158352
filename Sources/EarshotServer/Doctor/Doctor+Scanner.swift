import EarshotMedia
import Logging

extension Doctor {
    /// What clamd needs to find our canaries: a line of a file NAME.ndb in its DatabaseDirectory.
    public static var scannerSignature: String { Scanner.signature }

    /// Whether the scanner answers, looks into every container, and into streams as large as a recording may be.
    func scanner() async -> Finding {
        guard let address = configuration.clamd else {
            return Finding(
                "scanner", .doubtful, "none: recordings are not scanned, and others get only our re-encoding of them",
                remedy: "Set EARSHOT_CLAMD, see docs/how-to/scan-with-clamav.md.")
        }
        let scanner = Scanner(
            .init(address: address), logger: Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() })
        switch await scanner.selfTest(includesLargeStream: true).health {
        case .good:
            return Finding("scanner", .good, "\(address) found our canary in every container, and at the end of 16 MB")
        case .unreachable(let why):
            return Finding(
                "scanner", .bad, "no answer from \(address): \(why)",
                remedy: "Start clamd, and let Earshot's user into its socket's group. Until then voice messages wait.")
        case .missesContainers(let missed):
            return Finding(
                "scanner", .bad, "\(address) does not find our canary in \(missed.sorted().joined(separator: ", "))",
                remedy:
                    "Put what `earshot scanner-signature` prints into earshot.ndb in clamd's DatabaseDirectory, and reload clamd."
            )
        case .missesLargeStreams(let answer):
            return Finding(
                "scanner", .bad, "\(address) does not look into 16 MB: it answers \"\(answer)\"",
                remedy:
                    "Set StreamMaxLength 25M, MaxFileSize 25M, MaxScanSize 100M and AlertExceedsMax yes in clamd.conf, and restart clamd."
            )
        case .unknown: return Finding("scanner", .bad, "\(address) was not asked")
        }
    }
}
