/// How the launcher of an app looks on the brand's pages.
public struct Launcher: Hashable, Codable, Sendable {
    /// Which lower corner of the page it is in.
    public var side: Side
    /// What is drawn on it while the widget is closed.
    public var icon: Icon
    /// Shown when the pointer rests on it, and read by screen readers. Empty: the loader's own.
    public var label: String

    /// Creates a launcher; without arguments it is the one of an app that nobody changed.
    public init(side: Side = .right, icon: Icon = .chat, label: String = "") {
        (self.side, self.icon, self.label) = (side, icon, label)
    }

    /// A lower corner of the page.
    public enum Side: String, Hashable, Codable, Sendable, CaseIterable {
        /// The right one.
        case right
        /// The left one.
        case left
    }

    /// What can be drawn on the launcher.
    public enum Icon: String, Hashable, Codable, Sendable, CaseIterable {
        /// A speech bubble.
        case chat
        /// A waveform.
        case voice
        /// A question mark.
        case question

        /// The shape as an SVG path in a square of 24. The loader cuts it out with `clip-path`, which no policy of the
        /// brand's page forbids, and draws `chat` where it is told none.
        public var shape: String {
            switch self {
            case .chat: "M4 2h16a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3h-9l-6 5v-5H4a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3z"
            case .voice: "M1 9h3v6H1zM6 5h3v14H6zM11 1h3v22h-3zM16 6h3v12h-3zM21 10h3v4h-3z"
            case .question:
                "M6 8a6 6 0 1 1 9 5.2c-1 .6-1.5 1.2-1.5 2.8h-3c0-2.6 1-4 2.5-4.9A3 3 0 1 0 9 8zM10.3 18h3.4v3.4h-3.4z"
            }
        }
    }
}

extension App {
    /// How its launcher looks: what a manager chose, or the default.
    public var shownLauncher: Launcher { launcher ?? Launcher() }
}
