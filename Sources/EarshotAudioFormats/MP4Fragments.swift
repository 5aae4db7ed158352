/// Finds duplicate movie fragment headers in an MP4 that is still arriving (ISO 14496-12).
///
/// WebKit's recorder on GStreamer 1.22 writes its last fragment as a `moof`, an exact copy of it, and one `mdat`. A
/// reader that uses the first `moof` looks for the audio at the offset of the copy and finds none. So the first one
/// must be read as `free`, a box that readers skip.
package struct MP4Fragments {
    /// What the caller has to do next.
    package enum Step: Hashable {
        /// Wait until the recording has this many bytes.
        case needs(Int)
        /// The next box was checked. If `free` is not `nil`, overwrite the four bytes there with `free`.
        case settled(free: Int?)
    }

    /// The bytes before this offset can be read.
    package private(set) var settled = 0
    private static let headBytes = 16
    /// The header of a fragment is always shorter than this.
    private static let longestFragment = 64 * 1024

    /// A reader at the start of the recording.
    package init() {}

    /// Checks the next box.
    package mutating func checkNext(_ view: ByteView, isComplete: Bool) -> Step {
        func isThere(_ count: Int) -> Bool { isComplete || view.has(count, at: 0) }
        guard isThere(settled + Self.headBytes) else { return .needs(settled + Self.headBytes) }
        guard view.has(8, at: settled), view.big(4, at: settled) != 0, let length = MP4Boxes.length(view, at: settled)
        else {
            // The rest is one box, or not a box.
            settled = .max
            return .settled(free: nil)
        }
        let (box, next) = (settled, settled + length)
        if view.starts(with: "moof", at: box + 4), length <= Self.longestFragment {
            guard isThere(next + 8) else { return .needs(next + 8) }
            if view.starts(with: "moof", at: next + 4) {
                guard isThere(next + length) else { return .needs(next + length) }
                settled = next
                return .settled(free: view.repeats(box..<next) ? box + 4 : nil)
            }
        }
        settled = next
        return .settled(free: nil)
    }
}

extension ByteView {
    /// Whether the bytes in `range` are followed by an exact copy.
    fileprivate func repeats(_ range: Range<Int>) -> Bool {
        has(range.count, at: range.upperBound) && range.allSatisfy { self[$0] == self[$0 + range.count] }
    }
}
