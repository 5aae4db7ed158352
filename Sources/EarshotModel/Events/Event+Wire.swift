extension Event {
    /// The wire form, which is also the stored form. It is the same JSON value as `Codable` produces, but without
    /// Foundation. Tests compare the two.
    public var wireBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.envelopeBytes + kind.roughBytes)
        appendWire(to: &bytes)
        return bytes
    }

    /// Appends the event's wire form as JSON.
    public func appendWire(to bytes: inout [UInt8]) {
        JSONText.append(raw: #"{"n":"#, to: &bytes)
        JSONText.append(sequence, to: &bytes)
        JSONText.append(raw: #","at":"#, to: &bytes)
        JSONText.append(at.milliseconds, to: &bytes)
        JSONText.append(raw: #","by":"#, to: &bytes)
        JSONText.append(by.rawValue, to: &bytes)
        kind.appendWire(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Room for number, time, author and punctuation. If they need more, the buffer grows once.
    private static let envelopeBytes = 64
}

extension Event.Kind {
    /// The kinds that `Event.wireBytes` writes by hand, because a simple conversation consists of them; the general
    /// encoder writes all others.
    public static let hotKinds = [
        "started", "text", "audio", "scanned", "joined", "assigned", "closed", "resumed",
    ]

    /// An estimate of the bytes that the kind adds, so that the buffer is allocated once.
    fileprivate var roughBytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .audio(let audio): audio.waveform.count * 4 + 64
        default: 96
        }
    }

    /// Appends `,"kind":value`, or nothing for a kind that this version does not know.
    fileprivate func appendWire(to bytes: inout [UInt8]) {
        switch self {
        case .started(let started): started.appendWire(to: &bytes)
        case .text(let text):
            JSONText.append(raw: #","text":"#, to: &bytes)
            JSONText.append(text, to: &bytes)
        case .audio(let audio): audio.appendWire(to: &bytes)
        case .scanned(let scanned):
            JSONText.append(raw: #","scanned":{"of":"#, to: &bytes)
            JSONText.append(scanned.of, to: &bytes)
            JSONText.append(raw: #","verdict":"#, to: &bytes)
            JSONText.append(scanned.verdict.rawValue, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        case .joined(let joined): joined.appendWire(to: &bytes)
        case .assigned(let assigned):
            JSONText.append(raw: #","assigned":{"to":"#, to: &bytes)
            JSONText.append(assigned.to.rawValue, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        case .closed(let closed): closed.appendWire(to: &bytes)
        case .resumed: JSONText.append(raw: #","resumed":{}"#, to: &bytes)
        case .queued, .offered, .declined, .note, .noticed, .callback, .tagged, .attribute, .disposed, .urgent,
            .automatic, .left, .surveyed, .rated, .reopened, .settled, .callInvited, .callAnswered, .callEnded,
            .callRequested:
            bytes.append(UInt8(ascii: ","))
            bytes.append(contentsOf: wireMember)
        case .unknown: break
        }
    }
}

extension Event.Started {
    fileprivate func appendWire(to bytes: inout [UInt8]) {
        JSONText.append(raw: #","started":{"channel":"#, to: &bytes)
        JSONText.append(channel.rawValue, to: &bytes)
        JSONText.append(raw: #","app":"#, to: &bytes)
        JSONText.append(app.rawValue, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Event.Closed {
    fileprivate func appendWire(to bytes: inout [UInt8]) {
        JSONText.append(raw: #","closed":{"#, to: &bytes)
        if let why {
            JSONText.append(raw: #""why":"#, to: &bytes)
            JSONText.append(why.rawValue, to: &bytes)
        }
        if quiet == true { JSONText.append(raw: why == nil ? #""quiet":true"# : #","quiet":true"#, to: &bytes) }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Event.Joined {
    fileprivate func appendWire(to bytes: inout [UInt8]) {
        JSONText.append(raw: #","joined":{"role":"#, to: &bytes)
        JSONText.append(role.rawValue, to: &bytes)
        JSONText.append(raw: #","name":"#, to: &bytes)
        JSONText.append(name, to: &bytes)
        if let id {
            JSONText.append(raw: #","id":"#, to: &bytes)
            JSONText.append(id.rawValue, to: &bytes)
        }
        if quiet == true { JSONText.append(raw: #","quiet":true"#, to: &bytes) }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension AudioContent {
    fileprivate func appendWire(to bytes: inout [UInt8]) {
        JSONText.append(raw: #","audio":{"media":"#, to: &bytes)
        JSONText.append(media.rawValue, to: &bytes)
        JSONText.append(raw: #","ms":"#, to: &bytes)
        JSONText.append(durationMs, to: &bytes)
        JSONText.append(raw: #","wave":["#, to: &bytes)
        for (index, peak) in waveform.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONText.append(peak, to: &bytes)
        }
        JSONText.append(raw: #"],"bytes":"#, to: &bytes)
        JSONText.append(sizeBytes, to: &bytes)
        if let loudness {
            JSONText.append(raw: #","loud":"#, to: &bytes)
            JSONText.append(loudness, to: &bytes)
        }
        bytes.append(raw: #","scan":"#, scan?.rawValue)
        bytes.append(UInt8(ascii: "}"))
    }
}
