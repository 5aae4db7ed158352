/// Values of the wire as bytes. The same JSON as their Codable form, in the order that docs/protocol.md writes it.
extension Participant {
    func append(to bytes: inout [UInt8]) {
        bytes.append(raw: #"{"by":"#)
        bytes.append(json: by.rawValue)
        bytes.append(raw: #","role":"#)
        bytes.append(json: role.rawValue)
        bytes.append(raw: #","name":"#)
        bytes.append(json: name)
        bytes.append(raw: #","id":"#, id?.rawValue)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Mark {
    func append(to bytes: inout [UInt8]) {
        bytes.append(json: [by.rawValue, delivered, read]) { $0.append(json: $1) }
    }
}

extension Heard {
    func append(to bytes: inout [UInt8]) {
        bytes.append(json: [sequence, by.rawValue, percent, isListened ? 1 : 0]) { $0.append(json: $1) }
    }
}

extension SettingsView {
    func append(to bytes: inout [UInt8]) {
        bytes.append(raw: #"{"v":"#)
        bytes.append(json: version)
        bytes.append(raw: #","audio":{"on":"#)
        bytes.append(json: audio.isOn)
        bytes.append(raw: #","why":"#, audio.why?.rawValue)
        bytes.append(raw: #","ms":"#)
        bytes.append(json: audio.limitMs)
        bytes.append(raw: #","keep":"#)
        bytes.append(json: audio.keep)
        bytes.append(raw: "}}")
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
        bytes.append(UInt8(ascii: "}"))
    }
}

extension InboxRow {
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
        if let unheard {
            bytes.append(raw: #","unheard":"#)
            bytes.append(json: unheard)
        }
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
