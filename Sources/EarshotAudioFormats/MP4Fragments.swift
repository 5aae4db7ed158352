/// The boxes of an MP4 that is still arriving (ISO 14496-12), and among them movie fragments that stand there twice.
///
/// WebKit's recorder on GStreamer (1.22) writes its last fragment so: a `moof`, its exact copy, one `mdat`. A reader that believes the first looks for the sound where the copy
/// stands, and finds none. The first one is to be read as `free`, which means nothing.
package struct MP4Fragments {
    package enum Step: Hashable {
        /// So many bytes of the recording have to be there first.
        case needs(Int)
        /// The next box was looked at. Four bytes are to be called `free` where that is not `nil`.
        case settled(free: Int?)
    }

    /// Every byte in front of this one is as it is to be read.
    package private(set) var settled = 0
    private static let headBytes = 16
    /// What a recorder says of a second of sound is never as long as this.
    private static let longestFragment = 64 * 1024

    package init() {}

    /// Looks at the next box.
    package mutating func look(_ view: ByteView, isComplete: Bool) -> Step {
        func isThere(_ count: Int) -> Bool { isComplete || view.has(count, at: 0) }
        guard isThere(settled + Self.headBytes) else { return .needs(settled + Self.headBytes) }
        guard view.has(8, at: settled), view.big(4, at: settled) != 0, let length = MP4Boxes.length(view, at: settled)
        else {
            // The rest is one box, or none at all.
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
    /// Whether the same bytes follow at once.
    fileprivate func repeats(_ range: Range<Int>) -> Bool {
        has(range.count, at: range.upperBound) && range.allSatisfy { self[$0] == self[$0 + range.count] }
    }
}
