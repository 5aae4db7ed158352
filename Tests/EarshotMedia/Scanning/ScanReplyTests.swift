import Testing

@testable import EarshotMedia

@Suite struct `clamd's answer` {
    @Test func `is clean only if it is exactly the expected text`() {
        #expect(ScanReply("stream: OK".utf8) == .clean)
        for other in [
            "stream: OK ", " stream: OK", "stream: ok", "stream:OK", "OK", "", "stream: OK\n", "fd[10]: OK",
            "stream: OK FOUND OK", "instream: OK",
        ] {
            #expect(ScanReply(other.utf8) != .clean, "\(other)")
        }
    }

    @Test func `names the signature in characters that are safe for a log`() {
        #expect(ScanReply("stream: Eicar-Signature FOUND".utf8) == .infected("Eicar-Signature"))
        #expect(ScanReply("stream: a\nb\u{1b}ü FOUND".utf8) == .infected("a?b??"))
        #expect(
            ScanReply(("stream: " + String(repeating: "x", count: 129) + " FOUND").utf8)
                == .infected(String(repeating: "x", count: 128)))
    }

    @Test func `that it did not look inside is neither infected nor clean`() {
        #expect(
            ScanReply("stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND".utf8)
                == .inconclusive("Heuristics.Limits.Exceeded.MaxFileSize"))
        #expect(
            ScanReply("INSTREAM size limit exceeded. ERROR".utf8)
                == .inconclusive("INSTREAM size limit exceeded. ERROR"))
        #expect(
            ScanReply(String(repeating: "x", count: 10_000).utf8) == .inconclusive(String(repeating: "x", count: 128)))
    }

    @Test func `combined with another is the worse of the two`() {
        let (clean, found, refused, silent) = (
            ScanReply.clean, ScanReply.infected("x"), ScanReply.inconclusive("r"), ScanReply.unreachable("s")
        )
        #expect(clean.combined(with: clean) == clean)
        for other in [clean, refused, silent] {
            #expect(found.combined(with: other) == found && other.combined(with: found) == found)
        }
        #expect(clean.combined(with: refused) == refused && refused.combined(with: clean) == refused)
        #expect(
            silent.combined(with: refused) == silent && refused.combined(with: silent) == silent
                && clean.combined(with: silent) == silent)
    }
}

@Suite struct `A scanner's address` {
    @Test(arguments: [
        "unix:/run/clamav/clamd.ctl", "tcp:127.0.0.1:3310", "tcp:localhost:1", "tcp:[::1]:65535", "tcp:127.9.9.9:3310",
    ])
    func `is on this machine`(text: String) throws {
        #expect(try ScannerAddress(text).description == text)
    }

    @Test(arguments: [
        "", "/run/clamav/clamd.ctl", "unix:", "unix:clamd.ctl", "tcp:127.0.0.1", "tcp:127.0.0.1:0",
        "tcp:127.0.0.1:65536", "tcp:10.0.0.1:3310",
        "tcp:clamd.example:3310", "tcp:127.evil.example:3310", "tcp:127.0.0.1.evil.example:3310", "tcp:127.0.0:3310",
        "tcp:127.0.0.+1:3310",
        "tcp:[2001:db8::1]:3310", "tcp::3310",
    ])
    func `on another machine, or an invalid one, is refused`(text: String) {
        #expect(throws: ScannerAddress.Fault.self) { try ScannerAddress(text) }
    }

    @Test func `has a path of at most 107 bytes, the kernel's limit`() throws {
        let path = "/" + String(repeating: "x", count: ScannerAddress.pathBytes - 1)
        #expect(try ScannerAddress("unix:" + path).description.utf8.count == 112)
        #expect(throws: ScannerAddress.Fault.self) { try ScannerAddress("unix:" + path + "x") }
    }
}
