/// Values of the wire as bytes: the same JSON as their `Codable` form, in the member order of docs/protocol.md.
extension Participant {
    func append(to bytes: inout [UInt8]) {
        bytes.append(raw: #"{"by":"#)
        bytes.append(json: by.rawValue)
        bytes.append(raw: #","role":"#)
        bytes.append(json: role.rawValue)
        bytes.append(raw: #","name":"#)
        bytes.append(json: name)
        bytes.append(raw: #","id":"#, id?.rawValue)
        if quiet == true { bytes.append(raw: #","quiet":true"#) }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Mark {
    func append(to bytes: inout [UInt8]) {
        bytes.append(json: [by.rawValue, delivered, read]) { $0.append(json: $1) }
    }
}

extension PlaybackProgress {
    func append(to bytes: inout [UInt8]) {
        bytes.append(json: [sequence, by.rawValue, percent, isListened ? 1 : 0]) { $0.append(json: $1) }
    }
}

extension ConsumerCard {
    func append(to bytes: inout [UInt8]) {
        bytes.append(raw: #"{"name":"#)
        bytes.append(json: name)
        bytes.append(raw: #","app":"#)
        bytes.append(json: app.rawValue)
        bytes.append(raw: #","since":"#)
        bytes.append(json: since.milliseconds)
        bytes.append(raw: #","page":"#, page)
        bytes.append(raw: #","language":"#, language)
        bytes.append(raw: #","device":"#, device)
        verified?.append(to: &bytes)
        if let related {
            bytes.append(raw: #","related":"#)
            bytes.append(json: related) { $1.append(to: &$0) }
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension RecordedFacts {
    func append(to bytes: inout [UInt8]) {
        bytes.append(raw: #","recorded":{"attributes":"#)
        bytes.append(json: attributes) { bytes, attribute in
            bytes.append(raw: #"{"name":"#)
            bytes.append(json: attribute.name)
            bytes.append(raw: #","value":"#)
            bytes.append(json: attribute.value)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(raw: #","disposition":"#, disposition)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension VerifiedClaims {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(raw: #","verified":{"others":"#)
        bytes.append(json: others) { bytes, claim in
            bytes.append(raw: #"{"label":"#)
            bytes.append(json: claim.label)
            bytes.append(raw: #","value":"#)
            bytes.append(json: claim.value)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(raw: #","name":"#, name)
        bytes.append(raw: #","email":"#, email)
        bytes.append(raw: #","phone":"#, phone)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension RelatedConversation {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(raw: #"{"conversation":"#)
        bytes.append(json: conversation.rawValue)
        bytes.append(raw: #","name":"#)
        bytes.append(json: name)
        bytes.append(raw: #","app":"#)
        bytes.append(json: app.rawValue)
        bytes.append(raw: #","signedIn":"#)
        bytes.append(json: signedIn)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension InboxRow {
    /// Appends the row as JSON, byte for byte as `rows` and `ready` frames carry it.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(raw: #"{"c":"#)
        bytes.append(json: conversation.rawValue)
        bytes.append(raw: #","p":"#)
        bytes.append(json: position)
        bytes.append(raw: #","status":"#)
        bytes.append(json: status.rawValue)
        bytes.append(raw: #","to":"#, assignee?.rawValue)
        bytes.append(raw: #","toName":"#, assigneeName)
        bytes.append(raw: #","who":"#)
        bytes.append(json: who)
        bytes.append(raw: #","channel":"#)
        bytes.append(json: channel.rawValue)
        bytes.append(raw: #","app":"#)
        bytes.append(json: app.rawValue)
        bytes.append(raw: #","n":"#)
        bytes.append(json: sequence)
        bytes.append(raw: #","at":"#)
        bytes.append(json: at.milliseconds)
        bytes.append(raw: #","since":"#)
        bytes.append(json: since.milliseconds)
        last?.append(to: &bytes)
        bytes.append(raw: #","unread":"#)
        bytes.append(json: unread)
        if let unplayed {
            bytes.append(raw: #","unplayed":"#)
            bytes.append(json: unplayed)
        }
        routing?.append(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension InboxRow.Preview {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(raw: #","last":{"by":"#)
        bytes.append(json: by.rawValue)
        bytes.append(raw: #","text":"#, text)
        if let audio {
            bytes.append(raw: #","audio":"#)
            bytes.append(json: audio)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension InboxRow.RoutingInfo {
    fileprivate func append(to bytes: inout [UInt8]) {
        var members: [UInt8] = []
        members.append(raw: #","skill":"#, skill?.rawValue)
        if urgent == true { members.append(raw: #","urgent":true"#) }
        members.append(raw: #","due":"#, due)
        if let offer {
            members.append(raw: #","offer":{"to":"#)
            members.append(json: offer.to) { $0.append(json: $1.rawValue) }
            members.append(raw: #","until":"#, offer.until)
            members.append(UInt8(ascii: "}"))
        }
        members.append(raw: #","for":"#, reserved?.rawValue)
        members.append(raw: #","callback":"#, callback)
        if let tags {
            members.append(raw: #","tags":"#)
            members.append(json: tags) { $0.append(json: $1) }
        }
        if let csat {
            members.append(raw: #","csat":"#)
            members.append(json: csat)
        }
        if let mentioned {
            members.append(raw: #","mentioned":"#)
            members.append(json: mentioned) { $0.append(json: $1.rawValue) }
        }
        members.append(raw: #","afterword":"#, afterword?.rawValue)
        if settled == true { members.append(raw: #","settled":true"#) }
        call?.appendWire(to: &members)
        members.append(raw: #","wants":"#, wantedCall?.rawValue)
        bytes.append(raw: #","routing":{"#)
        bytes.append(contentsOf: members.dropFirst())
        bytes.append(UInt8(ascii: "}"))
    }
}

extension InboxRow.Call {
    fileprivate func appendWire(to bytes: inout [UInt8]) {
        bytes.append(raw: #","call":{"n":"#)
        bytes.append(json: number)
        bytes.append(raw: #","media":"#, kind.rawValue)
        bytes.append(raw: #","agent":"#, agent.rawValue)
        bytes.append(raw: #","until":"#, until)
        bytes.append(raw: #","since":"#, since)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension [UInt8] {
    fileprivate mutating func append(raw name: StaticString, _ time: Timestamp?) {
        guard let time else { return }
        append(raw: name)
        append(json: time.milliseconds)
    }
}
