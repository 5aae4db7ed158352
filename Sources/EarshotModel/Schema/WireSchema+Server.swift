extension WireSchema {
    /// Every frame that the server sends.
    public static let serverFrames: [WireFrame] = snapshots + deliveries + standing

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
            The inbox: rows that changed after your position, or (`fresh`) all open ones and the last \
            \(Limits.closedRows) closed.
            """),
        WireFrame(
            "watching", .agent,
            [.init("watching", .id)] + snapshotFields.prefix(1) + [.init("who", .named("ConsumerCard"))]
                + snapshotFields.dropFirst() + [.init("fresh", .boolean)],
            "Answer to `watch`: the conversation. The rules for `after` and `fresh` are those of `ready`."),
        WireFrame(
            "page", .both,
            [
                .init("page", .nullable(.id)), .init("events", .list(.named("Event"))), .init("more", .boolean),
                .init("played", .list(.named("Playback")), optional: true),
            ], "Answer to `page`."),
    ]

    private static let deliveries: [WireFrame] = [
        WireFrame(
            "ok", .both, [.init("ok", .key), .init("n", .integer(nil)), .init("at", .time), conversation],
            """
            Accepted and on disk; `n` is the number of your event. Every event up to your own comes before this \
            `ok` on this socket, except your own text or audio event, which is **not** repeated to the socket that \
            sent it: build it from what you sent, `n` and `at`. (A recording that was finished as `pending` is \
            delivered to its sender too, before the `ok`: the scanner may have answered since.)
            """
        ),
        WireFrame(
            "no", .both,
            [
                .init("no", .key), .init("code", .string), .init("text", .string), conversation,
                .init("limit", .integer(nil), optional: true), .init("after", .integer(nil), optional: true),
            ],
            """
            Refused; nothing happened. With `after` it can succeed after so many milliseconds. Section 5 says \
            what to do for each code.
            """),
        WireFrame(
            "typing", .both, [.init("typing", .integer(nil)), conversation, .init("off", .boolean, optional: true)],
            "Participant `typing` types; with `off` they stopped."),
        WireFrame(
            "rows", .agent, [.init("rows", .list(.named("InboxRow"))), .init("position", .integer(nil))],
            "Inbox rows that changed."),
        WireFrame(
            "events", .both,
            [.init("events", .list(.named("Event"))), conversation, .init("through", .integer(nil), optional: true)],
            """
            New events. `through` is omitted where it equals the last event's `n`. Never has a gap for its viewer; \
            a client that holds `through` and gets events up to it drops them.
            """
        ),
        WireFrame("marks", .both, [.init("marks", .list(.named("Mark"))), conversation], "Watermarks moved."),
        WireFrame(
            "played", .both, [.init("played", .list(.named("Playback"))), conversation],
            """
            How much of voice messages was played. To a consumer the brand is participant 2, the furthest of its \
            people. `ready`, `watching` and `page` carry the same list: `page` for the voice messages among its \
            events, `ready` and `watching` for those among the newest 200 events; omitted where it is empty. A \
            consumer hears of the brand only for its own messages, and of itself for the brand's.
            """
        ),
    ]

    private static let standing: [WireFrame] = [
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
            place in the queue, whether someone is there now and when the next shift begins. On every change, and \
            after `ready`. `null`: nothing is expected.
            """
        ),
        WireFrame(
            "me", .agent, [.init("me", .named("Colleague"))],
            "After `ready` and on every change: the agent as routing sees them."),
        WireFrame(
            "team", .agent, [.init("team", .list(.named("Colleague")))],
            "All people, after `{\"team\":true}` and on every change, at most once a second."),
        WireFrame(
            "wall", .manager, [.init("wall", .named("Wall"))],
            """
            The queues, after `{\"wall\":true}` and on every change, at most once a second. Counts are since \
            midnight UTC.
            """),
        WireFrame(
            "centre", .agent, [.init("centre", .integer(nil))],
            "The contact-centre settings changed; this version is in force: fetch it."),
        WireFrame(
            "problem", .both,
            [.init("problem", .object([.init("code", .string), .init("text", .string), conversation]))],
            "A frame without a key was refused; `c` where it named a conversation."),
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

    /// The types that frames and events refer to, by name.
    public static let types: [(name: String, type: WireType, about: String)] = [
        (
            "Status", .choice(["new", "waiting", "open", "closed"]),
            """
            `new`: no message yet; `waiting`: no agent answers yet; `open`: assigned; `closed`.
            """
        ),
        (
            "Person",
            .object([
                .init("by", .integer(nil)), .init("role", .choice(["consumer", "agent", "manager"])),
                .init("name", .string), .init("id", .name, optional: true), .init("quiet", .boolean, optional: true),
            ]), "A participant from 2 on. `id` and `quiet` are for the brand's people only."
        ),
        (
            "Mark", .tuple([.integer(nil), .integer(nil), .integer(nil)]),
            """
            Participant, delivered through, read through.
            """
        ),
        (
            "Playback", .tuple([.integer(nil), .integer(nil), .integer(0...100), .integer(0...1)]),
            """
            Voice message, participant, percent played, 1 if listened to: from 80 percent on, or once its end was \
            played.
            """
        ),
        (
            "Audio",
            .object([
                .init("media", .name), .init("ms", .integer(nil)), .init("wave", .list(.integer(0...100))),
                .init("bytes", .integer(nil)), .init("loud", .integer(nil), optional: true),
                .init("scan", .choice(["pending"]), optional: true),
            ]),
            """
            A recording. `ms`: length of the decoded sound; `wave`: peak of each of 64 equal spans; `loud`: \
            loudness by EBU R128 in tenths of LUFS, omitted for silence; `scan` where it waits for the scanner.
            """
        ),
        (
            "ConsumerCard",
            .object([
                .init("name", .string), .init("app", .name), .init("since", .time),
                .init("page", .string, optional: true), .init("language", .string, optional: true),
                .init("device", .string, optional: true),
            ]), "What an agent sees of a consumer."
        ),
        ("InboxRow", .object(rowFields), "One row of an agent's inbox: section 4."),
        (
            "Settings",
            .object([
                .init("v", .integer(nil)),
                .init(
                    "audio",
                    .object([
                        .init("on", .boolean), .init("why", .choice(["brand", "role", "channel"]), optional: true),
                        .init("ms", .integer(nil)), .init("keep", .integer(Limits.keptMessages)),
                    ])),
            ]), "The settings as they apply to one person: section 6."
        ),
        (
            "Expectation",
            .object([
                .init("by", .time, optional: true), .init("position", .integer(nil), optional: true),
                .init("open", .boolean), .init("opens", .time, optional: true),
            ]),
            """
            What a waiting consumer can expect. `position` counts from 1 and is omitted once an agent has the \
            conversation.
            """
        ),
        (
            "Colleague",
            .object([
                .init("id", .name), .init("name", .string), .init("role", .choice(["consumer", "agent", "manager"])),
                .init(
                    "presence",
                    .object([
                        .init("state", .choice(["online", "occupied", "away", "offline"])),
                        .init("reason", .string, optional: true), .init("since", .time),
                    ])),
                .init("skills", .list(.name)), .init("load", .integer(nil)), .init("capacity", .integer(nil)),
                .init("open", .integer(nil)),
            ]), "One of the brand's people. `load` is in thousandths of a conversation, `capacity` in whole ones."
        ),
        (
            "Wall",
            .object([.init("skills", .list(.object(wallFields))), .init("people", .list(.named("Colleague")))]),
            """
            Queues and people. `closed`, `satisfied` (ratings 4 and 5), `rated`, `answered` (consumers who had been \
            told a time) and `kept` (of these, in time) count since midnight UTC.
            """
        ),
    ]

    private static let rowFields: [WireField] = [
        .init("c", .id), .init("p", .integer(nil)), .init("status", .named("Status")),
        .init("to", .name, optional: true), .init("toName", .string, optional: true), .init("who", .string),
        .init("channel", .string), .init("app", .name), .init("n", .integer(nil)), .init("at", .time),
        .init("since", .time),
        .init(
            "last",
            .object([
                .init("by", .integer(nil)), .init("text", .string, optional: true),
                .init("audio", .integer(nil), optional: true),
            ]), optional: true),
        .init("unread", .integer(0...Limits.unread)), .init("unplayed", .integer(nil), optional: true),
        .init(
            "routing",
            .object([
                .init("skill", .name, optional: true), .init("urgent", .boolean, optional: true),
                .init("due", .time, optional: true),
                .init("offer", .object([.init("to", .list(.name)), .init("until", .time)]), optional: true),
                .init("for", .name, optional: true), .init("callback", .time, optional: true),
                .init("tags", .list(.string), optional: true), .init("csat", .integer(1...5), optional: true),
                .init("mentioned", .list(.name), optional: true),
            ]), optional: true),
    ]

    private static let wallFields: [WireField] = [
        .init("skill", .name), .init("queued", .integer(nil)), .init("oldest", .time, optional: true),
        .init("unplayed", .integer(nil)), .init("assigned", .integer(nil)), .init("overdue", .integer(nil)),
        .init("closed", .integer(nil)), .init("satisfied", .integer(nil)), .init("rated", .integer(nil)),
        .init("answered", .integer(nil)), .init("kept", .integer(nil)), .init("online", .integer(nil)),
    ]
}
