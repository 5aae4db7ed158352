/// The kinds of events that a conversation consists of.
enum EventSchema {
    /// The members of every event, next to its kind.
    static let envelope: [WireField] = [
        .init("n", .integer(nil), as: "sequence"), .init("at", .time), .init("by", .integer(nil)),
    ]

    /// Every kind of event. Kinds can be added: a reader ignores a kind that it does not know.
    static let kinds: [WireEventKind] = sharedKinds + privateKinds

    private static let sharedKinds: [WireEventKind] = [
        .init(
            "started", .object([.init("channel", .string), .init("app", .name)]), by: "1",
            "The consumer's first message opened the conversation."),
        .init("text", .string, by: "1, 2, …", "A typed message."),
        .init("audio", .named("Audio"), by: "1, 2, …", "A voice message; `scan` only where it waits for the scanner."),
        .init(
            "scanned",
            .object([.init("of", .integer(nil)), .init("verdict", .choice(["clean", "blocked", "failed"]))]), by: "0",
            """
            The voice message `of`, which waited, was let through (`clean`), holds something harmful and can be \
            played by no one (`blocked`), or could not be scanned and can be played by its author only (`failed`). \
            A verdict that you do not know is `failed`.
            """
        ),
        .init(
            "joined",
            .object([
                .init("role", WireType.role), .init("name", .string),
                .init("id", .name, optional: true), .init("quiet", .boolean, optional: true),
            ]), by: "2, …",
            """
            Participant `by` is this person from here on; `id` is for the brand's people only. One with `quiet` is \
            private.
            """),
        .init(
            "assigned", .object([.init("to", .integer(nil))]), by: "2, …",
            """
            The conversation is assigned to participant `to`.
            """),
        .init(
            "closed",
            .object([
                .init("why", .choice(["consumer", "idle"]), optional: true), .init("quiet", .boolean, optional: true),
            ]), by: "0, 1, 2, …",
            "Without `why` an agent closed it. A consumer's client shows \"This conversation was closed.\""),
        .init("left", .empty, by: "2, …", "The participant left the conversation."),
        .init(
            "callback", .object([.init("until", .time, optional: true)]), by: "2, …",
            "The agent will be back by then; without it they are back."),
        .init(
            "automatic", .object([.init("on", .string), .init("text", .string)]), by: "0",
            "Earshot sent an automatic message (`on`: section 7)."),
        .init(
            "surveyed",
            .object([
                .init("question", .string), .init("csat", .boolean), .init("nps", .boolean), .init("words", .boolean),
                .init("until", .time),
            ]), by: "0", "The consumer is asked for feedback; over at `until`, or when the conversation goes on."),
        .init(
            "rated",
            .object([
                .init("csat", .integer(1...5), optional: true), .init("nps", .integer(0...10), optional: true),
                .init("text", .string, optional: true), .init("audio", .named("Audio"), optional: true),
            ]), by: "1", "The consumer answered the survey, or a part of it."),
        .init("resumed", .empty, by: "1, 2, …", "The closed conversation is open again, and waits."),
        .init(
            "reopened", .object([.init("to", .integer(nil), optional: true)]), by: "2, …",
            """
            Who closed the conversation took that back: participant `to` answers again, or (without it) it waits \
            again. Its survey has ended.
            """),
    ] + calls

    private static let calls: [WireEventKind] = [
        .init(
            "callInvited", .object([.init("media", .callKind, as: "kind"), .init("until", .time)]), by: "2, …",
            "The agent invites the consumer to a call, whose number is `n`. Unanswered at `until`, it ends."),
        .init("callAnswered", .object([.init("of", .integer(nil))]), by: "1", "The consumer accepted call `of`."),
        .init(
            "callEnded",
            .object([
                .init("of", .integer(nil)),
                .init("why", .choice(CallEnding.Why.allCases.map(\.rawValue))),
                .init("ms", .integer(nil), optional: true), .init("quality", .named("CallQuality"), optional: true),
            ]), by: "0, 1, 2, …",
            """
            Call `of` ended. `ms`: how long it lasted since the answer, omitted where nobody answered. A reason that \
            you do not know is `failed`.
            """),
        .init(
            "callRequested", .object([.init("media", .callKind, as: "kind")]), by: "1",
            "The consumer asks to be called; it counts as a message that waits for an answer."),
    ]

    private static let privateKinds: [WireEventKind] = [
        .init(
            "queued",
            .object([
                .init("skill", .name),
                .init(
                    "why",
                    .choice([
                        "transferred", "returned", "silent", "offline", "fallback", "unanswered", "routed",
                        "noPermission",
                    ])),
                .init("to", .name, optional: true), .init("until", .time, optional: true),
            ]), by: "0, 2, …", isPrivate: true,
            """
            The conversation waits for an agent again (`status` is `waiting`); `to`: reserved for this agent until \
            `until`.
            """),
        .init(
            "offered", .object([.init("to", .list(.name)), .init("until", .time)]), by: "0", isPrivate: true,
            "It is offered to these agents."),
        .init(
            "declined", .object([.init("agents", .list(.name)), .init("said", .boolean)]), by: "0, 2, …",
            isPrivate: true, "The offer to them ended; `said`: they declined, else it expired."),
        .init(
            "note",
            .object([
                .init("text", .string, optional: true), .init("audio", .named("Audio"), optional: true),
                .init("mentions", .list(.name)),
            ]), by: "2, …", isPrivate: true, "A private note."),
        .init(
            "noticed", .object([.init("agent", .name)]), by: "0, 2, …", isPrivate: true,
            "This agent marked a mention as read."),
        .init(
            "settled", .empty, by: "2, …", isPrivate: true, "The consumer's last words need no answer."),
        .init(
            "tagged", .object([.init("tags", .list(.string))]), by: "2, …", isPrivate: true, "All tags from here on."),
        .init(
            "attribute", .object([.init("name", .string), .init("value", .string, optional: true)]), by: "2, …",
            isPrivate: true, "An attribute was set, or (without `value`) removed."),
        .init(
            "disposed", .object([.init("id", .name), .init("name", .string)]), by: "2, …", isPrivate: true,
            "A wrap-up code was chosen."),
        .init(
            "urgent", .object([.init("on", .boolean)]), by: "0, 2, …", isPrivate: true,
            "Marked as urgent, or no longer."),
    ]
}
