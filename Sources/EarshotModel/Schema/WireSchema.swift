/// The wire, declared once: every frame, event kind, type, setting and limit.
///
/// `bin/generate` writes the JSON Schemas, the AsyncAPI document, the tables of docs/protocol.md and the TypeScript in
/// Web/protocol from it. Tests validate the golden files against it.
public enum WireSchema {
    /// The order in which a reader looks for a client frame's kind: the first of these members that the object has.
    public static let clientKinds = ClientFrameSchema.kinds

    /// The order in which a reader looks for a server frame's kind.
    public static let serverKinds = ServerFrameSchema.kinds

    /// Every frame that a client sends.
    public static let clientFrames = ClientFrameSchema.frames

    /// Every frame that the server sends.
    public static let serverFrames = ServerFrameSchema.frames

    /// The types that frames and events refer to by name.
    public static let types = NamedTypeSchema.types

    /// Every kind of event. Kinds can be added: a reader ignores a kind that it does not know.
    public static let events = EventSchema.kinds

    /// The members of every event, next to its kind: number, time and participant.
    public static let eventEnvelope = EventSchema.envelope

    /// The sections of the contact-centre settings: `PUT /v1/centre/{section}` takes one of them.
    public static let sections = SettingsSchema.sections

    /// The types that the sections of the settings refer to by name.
    public static let settingsTypes = SettingsSchema.types

    /// Every limit that a client can meet.
    public static let limits = LimitsSchema.limits
}
