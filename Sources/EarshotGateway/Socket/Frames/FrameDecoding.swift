import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation

/// Decodes a client's frame from its bytes: the frequent forms by hand, all others by Foundation.
enum FrameDecoding {
    static func decode(_ payload: [UInt8]) -> Result<ClientFrame, FrameRefusal> {
        switch payload.withUnsafeBufferPointer({ ClientFrame.read($0) }) {
        case .frame(let frame): .success(frame)
        case .refused(let refusal): .failure(refusal.naming(conversationOf: payload))
        case .unsure: decodeAnyForm(payload)
        }
    }

    static func decodeAnyForm(_ payload: [UInt8]) -> Result<ClientFrame, FrameRefusal> {
        do {
            return .success(try JSONDecoder().decode(ClientFrame.self, from: Data(payload)))
        } catch let refusal as FrameRefusal {
            return .failure(refusal.naming(conversationOf: payload))
        } catch {
            return .failure(FrameRefusal(FrameRefusal.malformed).naming(conversationOf: payload))
        }
    }
}

extension FrameRefusal {
    /// The same refusal with the conversation that the frame names, where the rest of the frame could not be read.
    fileprivate func naming(conversationOf payload: [UInt8]) -> FrameRefusal {
        guard conversation == nil, let named = try? JSONDecoder().decode(NamedConversation.self, from: Data(payload))
        else { return self }
        return FrameRefusal(rejection, key: key, conversation: named.id)
    }
}

/// The conversation that a frame names, whatever else is in the frame.
private struct NamedConversation: Decodable {
    private enum Field: String, CodingKey, CaseIterable {
        case conversation = "c"
        case watch, unwatch, page
    }

    let id: ConversationID?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        id = Field.allCases.lazy.compactMap { try? fields.decode(ConversationID.self, forKey: $0) }.first
    }
}

extension StoredEvent {
    /// The encoded event for this viewer; `nil` hides it. Nearly all events are the same for everyone and are passed on
    /// as they are stored.
    func bytes(for viewer: Viewer) -> [UInt8]? {
        guard !isSameForAll else { return encoded }
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(encoded)) else { return nil }
        return switch event.visible(to: viewer) {
        case .same: encoded
        case .instead(let other): other.wireBytes
        case .hidden: nil
        }
    }
}
