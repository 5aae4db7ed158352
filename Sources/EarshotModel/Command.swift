/// What someone asks of a conversation. Imperative; becomes events or a `Rejection`.
public enum Command: Hashable, Sendable {
    case send(Message)
    /// An agent will answer this waiting conversation.
    case take
    case close
    case ask(Ask)

    /// One thing to say.
    public enum Message: Hashable, Sendable {
        case text(String)
        case audio(AudioContent)
    }
}

extension Command {
    /// The same command has the same bytes; a repeated key is compared by a digest of these.
    public var canonicalBytes: [UInt8] {
        switch self {
        case .send(.text(let text)): Array("t".utf8) + Array(text.utf8)
        case .send(.audio(let audio)): Array("a".utf8) + Array(audio.media.rawValue.utf8)
        case .take: Array("k".utf8)
        case .close: Array("c".utf8)
        case .ask(let ask): ask.canonicalBytes
        }
    }
}
