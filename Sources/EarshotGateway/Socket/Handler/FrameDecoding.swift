import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation

/// A client's frame from its bytes: by hand where it is one of the plain ones, else by Foundation.
enum FrameDecoding {
    static func decode(_ payload: [UInt8]) -> Result<ClientFrame, FrameRefusal> {
        switch payload.withUnsafeBufferPointer({ ClientFrame.read($0) }) {
        case .frame(let frame): .success(frame)
        case .refused(let refusal): .failure(refusal)
        case .unsure: thoroughly(payload)
        }
    }

    static func thoroughly(_ payload: [UInt8]) -> Result<ClientFrame, FrameRefusal> {
        do {
            return .success(try JSONDecoder().decode(ClientFrame.self, from: Data(payload)))
        } catch let refusal as FrameRefusal {
            return .failure(refusal)
        } catch {
            return .failure(FrameRefusal(FrameRefusal.malformed))
        }
    }
}

extension StoredEvent {
    /// An event for this viewer; `nil` hides it. Nearly all events look the same to everyone and are passed on as they are stored.
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
