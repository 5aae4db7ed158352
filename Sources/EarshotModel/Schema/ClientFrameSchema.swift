/// The frames that a client sends.
enum ClientFrameSchema {
    /// The order in which a reader looks for a client frame's kind: the first of these members that the object has.
    static let kinds = [
        "hello", "renew", "send", "take", "close", "ask", "state", "team", "wall", "typing", "watch", "unwatch", "page",
        "played", "got", "read", "signal", "call", "check", "checked",
    ]

    /// Every frame that a client sends.
    static let frames: [WireFrame] = session + commands + asks + signals + calls

    private static let session: [WireFrame] = [
        WireFrame(
            "hello (consumer)", .consumer,
            [
                .init(
                    "hello",
                    .object([
                        .init("token", .string), .init("after", .integer(nil), optional: true),
                        .init("epoch", .string, optional: true),
                        .init("v", .integer(nil), optional: true, as: "settings"),
                    ]))
            ],
            """
            The first frame. The client has everything through `after` of epoch `epoch`, and the settings of \
            version `v`.
            """),
        WireFrame(
            "hello (agent)", .agent,
            [
                .init(
                    "hello",
                    .object([
                        .init("ticket", .string), .init("position", .integer(nil), optional: true),
                        .init("epoch", .string, optional: true),
                        .init("v", .integer(nil), optional: true, as: "settings"),
                    ]))
            ],
            """
            The first frame. The client has every inbox row through feed position `position`. With `token` and \
            `ticket` the token wins.
            """
        ),
        WireFrame(
            "renew", .consumer, [.init("renew", .string)],
            """
            A newer token of the same consumer: the connection lasts as long as it. There is no answer; another \
            consumer's token and one that is not valid are refused (`problem`).
            """),
    ]

    private static let commands: [WireFrame] = [
        WireFrame(
            "send (text)", .both, needs: .answerConversations,
            [.init("send", .key), .conversation, .init("text", .string), .init("read", .integer(nil), optional: true)],
            """
            Send a text. `read` moves your own read mark too. At most 2000 Unicode scalars, not only white space; \
            nothing is trimmed or normalized.
            """),
        WireFrame(
            "send (audio)", .both, needs: .answerConversations,
            [.init("send", .key), .conversation, .init("audio", .id), .init("read", .integer(nil), optional: true)],
            "Send a voice message that was uploaded and finished. Exactly one of `text` and `audio`."),
        WireFrame(
            "take", .agent, needs: .answerConversations, [.init("take", .key), .init("c", .id, as: "conversation")],
            "Answer this waiting conversation."),
        WireFrame(
            "close", .both, needs: .closeConversations, [.init("close", .key), .conversation],
            """
            Close the conversation; a consumer closes its own.
            """),
    ]

    private static func ask(
        _ kind: String, _ type: WireType, by audience: WireFrame.Audience = .agent,
        needs permission: Permission? = .answerConversations, _ about: String
    ) -> WireFrame {
        WireFrame(
            "ask \(kind)", audience, needs: audience == .consumer ? nil : permission,
            [.init("ask", .key), .conversation, .init(kind, type)], about)
    }

    private static let asks: [WireFrame] =
        [
        ask("decline", .empty, "Decline an offer: it goes to another agent (`offer_gone` when it has expired)."),
        ask(
            "transfer",
            .object([
                .init("skill", .name, optional: true), .init("agent", .name, optional: true),
                .init("note", .string, optional: true), .init("audio", .id, optional: true),
            ]),
            """
            Transfer to a skill, to an agent, or (neither) back to the queue. The note becomes a private note. The \
            row (`for`) and the event name the agent it is reserved for.
            """
        ),
        ask("takeOver", .empty, needs: .takeOverConversations, "Answer from here on, no matter who did before."),
        ask(
            "join", .empty, needs: .joinConversations,
            """
            Join and be able to send without taking the conversation. `watch` alone is spectating: it joins nothing \
            and moves no timer.
            """),
        ask("leave", .empty, needs: .readConversations, "Leave a conversation that you joined."),
        ask(
            "note",
            .object([
                .init("text", .string, optional: true), .init("audio", .id, optional: true),
                .init("mentions", .list(.name), optional: true),
            ]), needs: .readNotes, "Add a private note, with a text, a recording, or both."),
            ask(
                "callback", .integer(0...604_800),
                "You will be back in so many seconds (60 to 604800); 0: you are back."),
        ask("tags", .list(.string), "Replace all tags."),
        ask(
            "attribute", .object([.init("name", .string), .init("value", .string, optional: true)]),
            """
            Set an attribute; without `value` remove it. A value is of the type that the settings list: a number \
            (`-3.5`), `yes` or `no`, a date (`2026-11-23`); else `bad_request`. Names that they do not list are text.
            """),
        ask("dispose", .name, "Choose a wrap-up code, by its id in the settings."),
        ask("urgent", .boolean, "Mark as urgent, or not."),
        ask("closeQuietly", .empty, needs: .closeConversations, "Close without a survey."),
        ask(
            "reopen", .empty, needs: .closeConversations,
            """
            Take back your own close: the conversation is as it was before. Within \(Limits.reopenSeconds) s, and \
            before the consumer answered the survey (`reopen_expired`); for others `not_assigned`.
            """),
        ask(
            "settle", .empty,
            """
            The consumer's last words need no answer: nothing is due from then on, and no message is sent. Your own \
            conversation, or a closed one with an `afterword` (`nothing_unanswered` when the brand wrote last).
            """),
        ask("noticed", .empty, needs: .readConversations, "Mark your mention as read."),
        ask(
            "rate",
            .object([
                .init("csat", .integer(1...5), optional: true), .init("nps", .integer(0...10), optional: true),
                .init("text", .string, optional: true), .init("audio", .id, optional: true),
            ]), by: .consumer,
            "Answer the survey, or a part of it; later parts add to it (`survey_closed` when none is open)."),
    ] + callAsks

    private static let callAsks: [WireFrame] = [
        ask(
            "invite", .callKind, needs: .startVoiceCalls,
            """
            Invite the consumer of your own conversation to a call; a video call needs `calls.video` instead \
            (`calls_off`, `call_under_way`, `in_call`).
            """),
        ask(
            "answerCall", .integer(nil), by: .consumer,
            """
            Accept the invitation to the call with this number: one device wins, the others get `call_answered`; \
            `call_over` when it has ended. Then send `call`.
            """),
        ask(
            "hangUp",
            .object([
                .init("call", .integer(nil)), .init("failed", .boolean, optional: true),
                .init("quality", .named("CallQuality"), optional: true),
            ]), by: .both,
            """
            End the call, decline or cancel its invitation (`call_over` when it has ended). `failed`: your device \
            could not connect, or lost the connection.
            """),
        ask(
            "requestCall", .callKind, by: .consumer,
            "Ask to be called (`calls_off`, `call_under_way`, `already_closed`; `call_requested` when you have)."),
    ]

    private static let calls: [WireFrame] = [
        WireFrame(
            "signal", .both, needs: .answerConversations,
            [.init("signal", .named("CallSignal")), .init("call", .integer(nil)), .conversation],
            """
            To the other device of the call. Only the two devices that take part send and get signals; others are \
            refused (`call_elsewhere`).
            """),
        WireFrame(
            "call", .both, needs: .answerConversations,
            [
                .init("call", .integer(nil)), .conversation, .init("device", .name),
                .init("fresh", .boolean, optional: true),
            ],
            """
            This device takes part in an answered call, also on a new socket or after a reload; `device` is an id \
            that the tab made and keeps. `fresh`: nothing of an earlier connection is left. The first device of \
            each side wins (`call_elsewhere`). Answered by `call`.
            """),
        WireFrame(
            "check", .agent, needs: .answerConversations, [.init("check", .id)],
            """
            Whether there could be a call in your own conversation: the server sends `check` to you and to every \
            device of the consumer, and each that is there answers (`calls_off`, `not_assigned`, `already_closed`).
            """),
        WireFrame(
            "checked", .consumer, [.init("checked", .named("CallReadiness"))],
            """
            The answer to `check`. It goes to the agents who follow the conversation.
            """),
    ]

    private static let signals: [WireFrame] = [
        WireFrame(
            "state", .agent, needs: .answerConversations,
            [
                .init("state", .choice(["online", "occupied", "away", "offline"])),
                .init("reason", .string, optional: true),
            ],
            """
            Set your presence: `online`, `occupied` (takes only transfers), `away` (`reason` is one of \
            `awayReasons` in section 7, or omitted), `offline`. Answered by `me`. It survives a closed page; after \
            60 s without a socket an agent counts as offline until they reconnect.
            """
        ),
        WireFrame(
            "team", .agent, [.init("team", .boolean)],
            """
            Subscribe to the presence of the brand's people; `false`: unsubscribe.
            """),
        WireFrame(
            "wall", .agent, needs: .seeWall, [.init("wall", .boolean)],
            """
            Subscribe to the figures of the queues; `false`: unsubscribe.
            """),
        WireFrame(
            "typing", .both, needs: .readConversations, [.init("typing", .boolean), .conversation],
            "You are typing (`false`: you stopped). Send it at most every 3 s; it fades after 6 s."),
        WireFrame(
            "got", .both, needs: .readConversations, [.init("got", .integer(nil)), .conversation],
            """
            Everything through `n` reached this device.
            """),
        WireFrame(
            "read", .both, needs: .readConversations, [.init("read", .integer(nil)), .conversation],
            "A person saw everything through `n` (implies `got`)."),
        WireFrame(
            "played", .both, needs: .readConversations,
            [
                .init("played", .integer(nil)), .conversation,
                .init(
                    "spans",
                    .list(.tuple([.init("from", .integer(Limits.playedMs)), .init("to", .integer(Limits.playedMs))]))),
            ],
            """
            These milliseconds of voice message `n` were really played to a person here: 1 to 64 spans, 0 ≤ from ≤ \
            to ≤ 600000, in any order, also again; what lies beyond the end is cut off. Send it every few seconds \
            while playing, at a pause and at the end. For your own message, and from someone who is no participant, \
            it has no effect.
            """
        ),
        WireFrame(
            "watch", .agent, needs: .readConversations,
            [.init("watch", .id), .init("after", .integer(nil), optional: true)],
            """
            Send me this conversation, at most \(Limits.watches) at a time (`too_many_watches`). Answered by \
            `watching`.
            """),
        WireFrame("unwatch", .agent, [.init("unwatch", .id)], "Stop sending me this conversation."),
        WireFrame(
            "page", .both, needs: .readConversations,
            [
                .init("page", .nullable(.id)), .init("before", .integer(nil)),
                .init("limit", .integer(nil), optional: true),
            ],
            """
            Older events, the newest \(Limits.pageEvents) (or `limit`, at most \(Limits.pageEventsMaximum)) below \
            `before`. A consumer sends `null`. The answer can hold fewer: go by `more`.
            """
        ),
    ]
}
