import EarshotModel
import Testing

@testable import EarshotCore

@Suite struct `A one-time code` {
    private static let secret = Array("12345678901234567890".utf8)

    /// RFC 6238, appendix B, SHA-1.
    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ]) func `is the one that RFC 6238 computes`(seconds: Int64, code: String) {
        let step = OneTimeCode.step(at: Timestamp(milliseconds: seconds * 1000))
        #expect(OneTimeCode.code(of: Self.secret, step: step, digits: 8) == code)
        #expect(OneTimeCode.code(of: Self.secret, step: step) == code.suffix(6))
    }

    @Test(arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false)])
    func `is accepted one step early and one step late`(offset: Int64, isAccepted: Bool) {
        let now = Timestamp(milliseconds: 1_763_757_600_000)
        let step = OneTimeCode.step(at: now) + offset
        let code = OneTimeCode.code(of: Self.secret, step: step)
        #expect(OneTimeCode.matchingStep(code, of: Self.secret, at: now) == (isAccepted ? step : nil))
    }

    @Test func `changes exactly every 30 seconds, and exists at the beginning of time`() {
        for (at, step) in [(0, 0), (29_999, 0), (30_000, 1), (59_999, 1), (60_000, 2), (-1, 0)] {
            #expect(OneTimeCode.step(at: Timestamp(milliseconds: Int64(at))) == Int64(step))
        }
        let first = OneTimeCode.code(of: Self.secret, step: 0)
        #expect(OneTimeCode.matchingStep(first, of: Self.secret, at: Timestamp(milliseconds: 0)) == 0)
    }

    @Test func `has six ASCII digits and nothing else`() {
        let now = Timestamp(milliseconds: 59_000)
        let code = OneTimeCode.code(of: Self.secret, step: 1)
        #expect(code == "287082" && OneTimeCode.matchingStep(code, of: Self.secret, at: now) == 1)
        let arabic = String(
            String.UnicodeScalarView(code.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0x630) }))
        let wrong = [
            "", "28708", "2870820", " 287082", "287082 ", "287 082", "+28708", "-28708", "28708\0", "0x4617", arabic,
            "２８７０８２", "28708２",
        ]
        for text in wrong {
            #expect(!OneTimeCode.isWellFormed(text), "\(text)")
            #expect(OneTimeCode.matchingStep(text, of: Self.secret, at: now) == nil, "\(text)")
        }
    }

    /// RFC 4648, section 10, as far as the lengths are whole groups.
    @Test func `has a secret that apps read as base 32`() {
        #expect(Base32.encode([]) == "" && Base32.encode(Array("fooba".utf8)) == "MZXW6YTB")
        #expect(Base32.encode(Self.secret) == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    }
}

@Suite struct `A recovery code` {
    private static func text(_ byte: UInt8) -> String {
        RecoveryCode.text(of: [UInt8](repeating: byte, count: RecoveryCode.randomBytes))
    }

    @Test func `carries 80 bits in four groups without letters that look like digits`() {
        #expect(RecoveryCode.randomBytes * 8 == 80)
        #expect(Self.text(0) == "0000-0000-0000-0000" && Self.text(0xFF) == "zzzz-zzzz-zzzz-zzzz")
        let bytes: [UInt8] = [0x00, 0x44, 0x32, 0x14, 0xC7, 0x42, 0x54, 0xB6, 0x35, 0xCF]
        #expect(RecoveryCode.text(of: bytes) == "0123-4567-89ab-cdef")
        #expect(!(0...255).contains { Self.text(UInt8($0)).contains { "ilou".contains($0) } })
    }

    @Test func `is found however it was typed`() {
        for typed in [
            "0123-4567-89ab-cdef", "0123456789ABCDEF", " o123 4567 89ab-CDEF ", "OI23-4567-89AB-CDEF",
            "0l23456789abcdef",
        ] {
            #expect(RecoveryCode.normalized(typed) == "0123456789abcdef", "\(typed)")
        }
        for typed in [
            "", "0123-4567-89ab-cde", "0123-4567-89ab-cdef0", "0123-4567-89ab-cdeu", "0123-4567-89ab-cdé",
            "0123-4567-89ab-cde\u{301}f",
        ] {
            #expect(RecoveryCode.normalized(typed) == nil, "\(typed)")
        }
    }
}

@Suite struct `A sealed secret` {
    private static let dana = AgentID(trusted: "dana")
    private static let key = SealingKey([UInt8](repeating: 7, count: SealingKey.keyBytes))
    private static let nonce = [UInt8](repeating: 1, count: SealingKey.nonceBytes)

    @Test func `opens for its person, its purpose and its key only, and does not show the secret`() throws {
        let secret = Array("a secret of 20 bytes".utf8)
        let sealed = try Self.key.seal(secret, .secret, for: Self.dana, nonce: Self.nonce)
        #expect(Self.key.open(sealed, .secret, for: Self.dana) == secret)
        #expect(Self.key.open(sealed, .secret, for: AgentID(trusted: "omar")) == nil)
        #expect(Self.key.open(sealed, .setUp, for: Self.dana) == nil)
        #expect(SealingKey([UInt8](repeating: 8, count: 32)).open(sealed, .secret, for: Self.dana) == nil)
        #expect(String(decoding: sealed, as: UTF8.self).contains("secret") == false)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(Self.key.open(changed, .secret, for: Self.dana) == nil, "byte \(index)")
        }
        for length in [0, 11, 12, 27, sealed.count - 1] {
            #expect(Self.key.open(Array(sealed.prefix(length)), .secret, for: Self.dana) == nil, "\(length) bytes")
        }
    }

    @Test func `digest of a recovery code depends on key, person and code`() {
        let digest = Self.key.digest(ofRecoveryCode: "0123456789abcdef", of: Self.dana)
        let others = [
            Self.key.digest(ofRecoveryCode: "0123456789abcdeg", of: Self.dana),
            Self.key.digest(ofRecoveryCode: "0123456789abcdef", of: AgentID(trusted: "omar")),
            SealingKey([UInt8](repeating: 8, count: 32)).digest(ofRecoveryCode: "0123456789abcdef", of: Self.dana),
        ]
        #expect(digest.count == 32 && !others.contains(digest))
    }

    @Test func `link escapes what a URL cannot hold`() {
        let setUp = SecondFactorSetUp(secret: "MZXW6YTB", issuer: "Tulip & Thörn", person: "d+a@x.example", token: "t")
        #expect(
            setUp.link
                == "otpauth://totp/Tulip%20%26%20Th%C3%B6rn:d%2Ba%40x.example?secret=MZXW6YTB"
                + "&issuer=Tulip%20%26%20Th%C3%B6rn")
    }
}

@Suite struct `Codes of second factors` {
    @Test func `are limited for a person, and a known device keeps its own allowance`() throws {
        let limiter = LoginLimiter()
        let (address, device) = (LoginLimiter.Place.address("192.0.2.1"), LoginLimiter.Place.device("d"))
        var now = Timestamp(milliseconds: 1_000_000)
        for _ in 1...5 { try limiter.admitCode(person: "dana", from: address, at: now) }
        #expect(throws: Rejection.self) {
            try limiter.admitCode(person: "dana", from: .address("198.51.100.7"), at: now)
        }
        try limiter.admitCode(person: "omar", from: address, at: now)
        for _ in 1...5 { try limiter.admitCode(person: "dana", from: device, at: now) }
        #expect(throws: Rejection.self) { try limiter.admitCode(person: "dana", from: device, at: now) }
        now = now.adding(milliseconds: 299_999)
        #expect(throws: Rejection.self) { try limiter.admitCode(person: "dana", from: address, at: now) }
        now = now.adding(milliseconds: 1)
        try limiter.admitCode(person: "dana", from: address, at: now)
    }
}
