import Foundation

/// What a refused frame names, whatever else is wrong with it. The refusal repeats it, so that the client knows which
/// of its frames was meant.
public struct FrameHead: Hashable, Sendable {
    /// The key of a command. It can have the wrong form, also no character, up to `Limits.refusedKeyBytes`.
    public let key: IdempotencyKey?
    /// The conversation, where its id has the right form.
    public let conversation: ConversationID?

    /// Reads the head of a frame. It is empty where the bytes are no JSON object.
    public init(_ bytes: [UInt8]) {
        let members = try? JSONDecoder().decode(Members.self, from: Data(bytes))
        (key, conversation) = (members?.key, members?.conversation)
    }

    private struct Members: Decodable {
        let key: IdempotencyKey?
        let conversation: ConversationID?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: ClientFrame.Field.self)
            let commands: [ClientFrame.Field] = [.send, .take, .close, .ask]
            key = commands.lazy.compactMap { try? fields.decode(String.self, forKey: $0) }.first.flatMap { text in
                text.utf8.count <= Limits.refusedKeyBytes ? IdempotencyKey(trusted: text) : nil
            }
            let names: [ClientFrame.Field] = [.conversation, .watch, .unwatch, .page]
            conversation = names.lazy.compactMap { try? fields.decode(ConversationID.self, forKey: $0) }.first
        }
    }
}
