public import EarshotModel

/// What a decision needs in addition to state and command: the time, the brand's settings and people. The service fills
/// it in; `decide` looks nothing up.
public struct Context: Sendable {
    /// The time of the decision.
    public let now: Timestamp
    /// The brand's contact-centre settings.
    public let centre: ContactCentreSettings
    /// The recording that the command names, as the server decoded it.
    public var audio: AudioContent?
    /// Whether the agent is at capacity.
    public let isFull: Bool
    /// The names of the brand's people by id. An id that is missing belongs to no active person.
    public let colleagues: [AgentID: String]

    /// Makes the value.
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
