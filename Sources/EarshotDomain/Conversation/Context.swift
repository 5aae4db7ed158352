public import EarshotModel

/// What a decision needs beside state and command: the time, and how the brand runs its centre. Filled in by the service; `decide` looks nothing up.
public struct Context: Sendable {
    public let now: Timestamp
    public let centre: ContactCentreSettings
    /// The recording that the command names, as the server decoded it.
    public var audio: AudioContent?
    /// Whether this agent has as much work as they take.
    public let isFull: Bool
    /// Who of the brand's people these ids are; an id that is missing is nobody's.
    public let colleagues: [AgentID: String]

    public init(
        now: Timestamp, centre: ContactCentreSettings = ContactCentreSettings(), audio: AudioContent? = nil,
        isFull: Bool = false, colleagues: [AgentID: String] = [:]
    ) {
        self.now = now
        self.centre = centre
        self.audio = audio
        self.isFull = isFull
        self.colleagues = colleagues
    }
}
