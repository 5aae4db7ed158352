// Untrusted JSON: a socket's frames, a request's body, and events as they are stored. What is read by hand must be
// what the complete decoder reads.

import EarshotModel
import Foundation

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if (try? StrictJSON.parse(bytes)) != nil {
        // StrictJSON is stricter than Foundation: what it accepts, Foundation accepts too.
        precondition(
            (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil, "not JSON")
    }
    // What is no UTF-8 never gets further: the socket's reader closes on it, and what is stored was written by us.
    guard String(validating: bytes, as: UTF8.self) != nil else { return 0 }
    switch bytes.withUnsafeBufferPointer({ ClientFrame.read($0) }) {
    case .frame(let frame): precondition(thoroughly(bytes) == .success(frame), "another frame")
    case .refused(let refusal): precondition(thoroughly(bytes) == .failure(refusal), "another refusal")
    case .unsure: _ = thoroughly(bytes)
    }
    if let text = Event.text(inWire: bytes) {
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(bytes)), case .text(text) = event.kind else {
            preconditionFailure("another text")
        }
    }
    return 0
}

private func thoroughly(_ bytes: [UInt8]) -> Result<ClientFrame, FrameRefusal> {
    do { return .success(try JSONDecoder().decode(ClientFrame.self, from: Data(bytes))) } catch let refusal
        as FrameRefusal
    { return .failure(refusal) } catch {
        return .failure(FrameRefusal(FrameRefusal.malformed))
    }
}
