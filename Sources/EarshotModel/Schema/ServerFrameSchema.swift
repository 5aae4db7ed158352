/// The frames that the server sends.
enum ServerFrameSchema {
    /// The order in which a reader looks for a server frame's kind.
    static let kinds = [
        "ready", "watching", "page", "ok", "no", "typing", "rows", "settings", "expect", "me", "team", "wall", "centre",
        "problem", "bye", "events", "marks", "played", "signal", "call", "check", "checked",
    ]

    /// Every frame that the server sends.
    static let frames: [WireFrame] = snapshots + deliveries + states + calls

    private static let calls: [WireFrame] = [
        WireFrame(
            "signal", .both, [.init("signal", .named("Signalled"))], "What the other device of your call says."),
        WireFrame(
            "call", .both, [.init("call", .named("CallStatus"))],
            """
            To a device that takes part. `begin`: both are there, make a new connection; `resync`: signals may be \
            lost, send a pending description again; `gone`: the other one is away and may come back for \
            \(Limits.callGoneSeconds) s; `waiting`: it is not there yet. The call's end is the event `callEnded`.
            """),
        WireFrame(
            "check", .both, [.init("check", .named("CallCheck"))],
            """
            Find out whether this device can take part in a call, without asking the person anything. A consumer's \
            device answers `checked`.
            """),
        WireFrame(
            "checked", .agent, [.init("checked", .named("CallChecked"))],
            "What a device of the consumer answered. Without an answer no page of theirs is open."),
    ]

    private static let snapshotFields: [WireField] = [
        .init("status", .named("Status")), .init("people", .list(.named("Person"))),
        .init("marks", .list(.named("Mark"))), .init("events", .list(.named("Event"))),
        .init("through", .integer(nil)), .init("more", .boolean),
        .init("played", .list(.named("Playback")), optional: true),
    ]

    private static let snapshots: [WireFrame] = [
        WireFrame(
            "ready (consumer)", .consumer,
            [
                .init(
                    "ready",
                    .object(
                        [.init("epoch", .string), .init("version", .string), .init("me", .integer(nil))]
                            + snapshotFields + [.init("fresh", .boolean, optional: true)]))
            ],
            """
            The snapshot. After a cursor of the same epoch that is at most \(Limits.pageEventsMaximum) events \
            behind, `events` are those after it; else the last \(Limits.pageEvents) with `fresh`. `more`: older \
            events exist. With `\"fresh\":true` forget what you have. `version` is the server's.
            """
        ),
        WireFrame(
            "ready (agent)", .agent,
            [
                .init(
                    "ready",
                    .object([
                        .init("epoch", .string), .init("version", .string), .init("agent", .name),
                        .init("rows", .list(.named("InboxRow"))), .init("position", .integer(nil)),
                        .init("fresh", .boolean),
                    ]))
            ],
            """
            The inbox. After a position of the same epoch, if at most \(Limits.changedRows) rows changed since: those \
            rows. Else, also after a negative position or one beyond the end, with `fresh`: all open ones and the \
            last \(Limits.closedRows) closed; forget the rows that you have.
            """),
        WireFrame(
            "watching", .agent,
            [.init("watching", .id, as: "conversation")] + snapshotFields.prefix(1) + [
                .init("who", .named("ConsumerCard"))
            ]
                + snapshotFields.dropFirst() + [
                    .init(
                        "recorded",
                        .object([
                            .init("attributes", .list(.object([.init("name", .string), .init("value", .string)]))),
                            .init("disposition", .name, optional: true),
                        ]), optional: true), .init("fresh", .boolean),
                ],
            """
            Answer to `watch`: the conversation. The rules for `after` and `fresh` are those of `ready`. `recorded`: \
            the attributes and the wrap-up code as they are at `through`, also where their events are older than \
            these; omitted where there are none.
            """),
        WireFrame(
            "page", .both,
            [
                .init("page", .nullable(.id), as: "conversation"), .init("events", .list(.named("Event"))),
                .init("more", .boolean),
                .init("played", .list(.named("Playback")), optional: true),
            ], "Answer to `page`."),
    ]

    private static let deliveries: [WireFrame] = [
        WireFrame(
            "ok", .both,
            [
                .init("ok", .key, as: "key"), .init("n", .integer(nil), as: "sequence"), .init("at", .time),
                .conversation,
            ],
            """
            Accepted and on disk; `n` is the number of your event. Every event up to your own comes before this \
            `ok` on this socket, except your own text or audio event, which is **not** repeated to the socket that \
            sent it: build it from what you sent, `n` and `at`. (A recording that was finished as `pending` is \
            delivered to its sender too, before the `ok`: the scanner may have answered since. So is a text in which \
            the server masked a card number.)
            """
        ),
        WireFrame(
            "no", .both,
            [
                .init("no", .string, as: "key"), .init("code", .string), .init("text", .string), .conversation,
                .init("limit", .integer(nil), optional: true), .init("after", .integer(nil), optional: true),
            ],
            """
            Refused; nothing happened. The key is as you sent it, also in the wrong form. With `after` it can \
            succeed after so many milliseconds. Section 5 says what to do for each code.
            """),
        WireFrame(
            "typing", .both,
            [.init("typing", .integer(nil), as: "by"), .conversation, .init("off", .boolean, optional: true)],
            "Participant `typing` types; with `off` they stopped."),
        WireFrame(
            "rows", .agent,
            [
                .init("rows", .list(.named("InboxRow"))), .init("position", .integer(nil)),
                .init("gone", .list(.id), optional: true),
            ],
            "Inbox rows that changed. Forget the rows of `gone`: you see those conversations no longer."),
        WireFrame(
            "events", .both,
            [.init("events", .list(.named("Event"))), .conversation, .init("through", .integer(nil), optional: true)],
            """
            New events. `through` is omitted where it equals the last event's `n`. Never has a gap for its viewer; \
            a client that holds `through` and gets events up to it drops them.
            """
        ),
        WireFrame("marks", .both, [.init("marks", .list(.named("Mark"))), .conversation], "Watermarks moved."),
        WireFrame(
            "played", .both, [.init("played", .list(.named("Playback"))), .conversation],
            """
            How much of voice messages was played. To a consumer the brand is participant 2, the furthest of its \
            people. `ready`, `watching` and `page` carry the same list: `page` for the voice messages among its \
            events, `ready` and `watching` for those among the newest 200 events; omitted where it is empty. A \
            consumer hears of the brand only for its own messages, and of itself for the brand's.
            """
        ),
    ]

    private static let states: [WireFrame] = [
        WireFrame(
            "settings", .both, [.init("settings", .named("Settings"))],
            """
            The brand changed its settings: section 6, as they apply to you. Also after `ready`, where `v` in \
            `hello` was not the version in force.
            """),
        WireFrame(
            "expect", .consumer, [.init("expect", .nullable(.named("Expectation")))],
            """
            To a consumer who waits: by when they are answered (show it in the consumer's own time zone), their \
            place in the queue, whether someone is there now and when the next shift begins. It comes after `ready` \
            where there is something to expect, then on every change, at most once a second. `null`: nothing is \
            expected any longer; after `ready` it comes only to a client that sent a cursor. A brand that never \
            changed its contact-centre settings tells its consumers no times: there is no such frame.
            """
        ),
        WireFrame(
            "me", .agent, [.init("me", .named("Colleague"))],
            "After `ready` and on every change: the agent as routing sees them."),
        WireFrame(
            "team", .agent, [.init("team", .list(.named("Colleague")))],
            "All people, after `{\"team\":true}` and on every change, at most once a second."),
        WireFrame(
            "wall", .agent, [.init("wall", .named("Wall"))],
            """
            The queues, after `{\"wall\":true}` and on every change, at most once a second. Counts are since \
            the brand's midnight.
            """),
        WireFrame(
            "centre", .agent, [.init("centre", .integer(nil))],
            "The contact-centre settings changed; this version is in force: fetch it."),
        WireFrame(
            "problem", .both,
            [.init("problem", .object([.init("code", .string), .init("text", .string), .conversation]))],
            "A frame without a readable key was refused; `c` where it named a conversation."),
        WireFrame(
            "bye", .both,
            [
                .init(
                    "bye",
                    .object([
                        .init("code", .string), .init("text", .string), .init("after", .integer(nil), optional: true),
                    ]))
            ], "The close that follows has this reason; reconnect after that many milliseconds, plus jitter."),
    ]
}
