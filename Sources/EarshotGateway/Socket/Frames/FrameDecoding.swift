import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation

/// Decodes a client's frame from its bytes: the frequent forms by hand, all others by Foundation.
enum FrameDecoding {
    static func decode(_ payload: [UInt8]) -> Result<ClientFrame, FrameRefusal> {
        switch payload.withUnsafeBufferPointer({ ClientFrame.read($0) }) {
        case .frame(let frame): .success(frame)
        case .refused(let refusal): .failure(refusal.naming(headOf: payload))
        case .unsure: decodeAnyForm(payload)
        }
    }

    static func decodeAnyForm(_ payload: [UInt8]) -> Result<ClientFrame, FrameRefusal> {
        do {
            return .success(try JSONDecoder().decode(ClientFrame.self, from: Data(payload)))
        } catch let refusal as FrameRefusal {
            return .failure(refusal.naming(headOf: payload))
        } catch {
            return .failure(FrameRefusal(FrameRefusal.malformed).naming(headOf: payload))
        }
    }
}

extension FrameRefusal {
    /// The same refusal with the key and the conversation that the frame names, where the rest could not be read.
    fileprivate func naming(headOf payload: [UInt8]) -> FrameRefusal {
        guard key == nil || conversation == nil else { return self }
        let head = FrameHead(payload)
        return FrameRefusal(rejection, key: key ?? head.key, conversation: conversation ?? head.conversation)
    }
}

extension [StoredEvent] {
    /// Those that happened at a time or later; all where there is none.
    func presented(from begin: Timestamp?) -> [StoredEvent] {
        guard let begin else { return self }
        return filter { event in event.at.map { $0 >= begin } ?? false }
    }
}

extension StoredEvent {
    /// When it happened; `nil` where it cannot be read.
    fileprivate var at: Timestamp? {
        struct Moment: Decodable { let at: Timestamp }
        return (try? JSONDecoder().decode(Moment.self, from: Data(encoded)))?.at
    }

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
