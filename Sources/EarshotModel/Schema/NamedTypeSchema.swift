/// The types that frames and events refer to by name.
enum NamedTypeSchema {
    /// Each type with its name and its meaning.
    static let types: [(name: String, type: WireType, about: String)] = [
        (
            "Status", .choice(["waiting", "open", "closed", "new"]),
            """
            `new`: no message yet; `waiting`: no agent answers yet; `open`: assigned; `closed`.
            """
        ),
        (
            "Person",
            .object([
                .init("by", .integer(nil)), .init("role", WireType.role),
                .init("name", .string), .init("id", .name, optional: true), .init("quiet", .boolean, optional: true),
            ]), "A participant from 2 on. `id` and `quiet` are for the brand's people only."
        ),
        (
            "Mark",
            .tuple([.init("by", .integer(nil)), .init("delivered", .integer(nil)), .init("read", .integer(nil))]),
            """
            Participant, delivered through, read through.
            """
        ),
        (
            "Playback",
            .tuple([
                .init("n", .integer(nil)), .init("by", .integer(nil)), .init("percent", .integer(0...100)),
                .init("listened", .integer(0...1)),
            ]),
            """
            Voice message, participant, percent played, 1 if listened to: from 80 percent on, or once its end was \
            played.
            """
        ),
        (
            "Audio",
            .object([
                .init("media", .name), .init("ms", .integer(nil), as: "durationMs"),
                .init("wave", .list(.integer(0...100)), as: "waveform"),
                .init("bytes", .integer(nil), as: "sizeBytes"),
                .init("loud", .integer(nil), optional: true, as: "loudness"),
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
                .init(
                    "verified",
                    .object([
                        .init("name", .string, optional: true), .init("email", .string, optional: true),
                        .init("phone", .string, optional: true),
                        .init("others", .list(.object([.init("label", .string), .init("value", .string)]))),
                    ]), optional: true),
                .init(
                    "related",
                    .list(
                        .object([
                            .init("conversation", .id), .init("name", .string), .init("app", .name),
                            .init("signedIn", .boolean),
                        ])), optional: true),
            ]),
            """
            What an agent sees of a consumer. `verified`: what the brand's identity provider says about a signed-in \
            consumer. `related`: the other conversations of the same person.
            """
        ),
        ("InboxRow", .object(rowFields), "One row of an agent's inbox: section 4."),
        (
            "Settings",
            .object([
                .init("v", .integer(nil), as: "version"),
                .init(
                    "audio",
                    .object([
                        .init("on", .boolean, as: "isOn"),
                        .init("why", .choice(["role", "channel", "brand"]), optional: true),
                        .init("ms", .integer(nil), as: "limitMs"), .init("keep", .integer(Limits.keptMessages)),
                    ])),
                .init(
                    "calls",
                    .object([.init("voice", .boolean), .init("video", .boolean), .init("requests", .boolean)]),
                    optional: true),
            ]), "The settings as they apply to one person: section 6."
        ),
        (
            "CallQuality",
            .object([
                .init("lost", .integer(0...1000)), .init("jitter", .integer(Limits.callDelayMs), as: "jitterMs"),
                .init("rtt", .integer(Limits.callDelayMs), as: "rttMs"), .init("mos", .integer(100...450)),
                .init("relayed", .boolean),
            ]),
            """
            How good the connection of a call was, as one device measured it: lost sound in thousandths, jitter and \
            round trip in milliseconds, and an estimate of what a listener would say in hundredths, 100 (bad) to 450.
            """
        ),
        (
            "CallSignal",
            .object([
                .init(
                    "description",
                    .object([
                        .init("type", .choice(CallSignal.Description.Kind.allCases.map(\.rawValue))),
                        .init("sdp", .string),
                    ]), optional: true),
                .init(
                    "candidate",
                    .object([
                        .init("candidate", .string), .init("sdpMid", .string, optional: true),
                        .init("sdpMLineIndex", .integer(nil), optional: true),
                        .init("usernameFragment", .string, optional: true),
                    ]), optional: true),
                .init(
                    "media",
                    .object([.init("microphone", .boolean), .init("camera", .boolean), .init("screen", .boolean)]),
                    optional: true),
            ]),
            """
            What the two devices of a call tell each other; exactly one member. `description`: of at most \
            \(Limits.descriptionBytes) bytes; `candidate`: as browsers make it, of at most \(Limits.candidateBytes) \
            bytes, empty after the last one; `media`: what is switched on.
            """
        ),
        (
            "RelayServer",
            .object([
                .init("urls", .list(.string)), .init("username", .string, optional: true),
                .init("credential", .string, optional: true),
            ]), "A server that helps two devices connect, as `RTCPeerConnection` takes it."
        ),
        (
            "Signalled",
            .object([
                .init("call", .integer(nil)), .conversation, .init("say", .named("CallSignal"), as: "signal"),
            ]), "A signal of the other device of call `call`."
        ),
        (
            "CallStatus",
            .object([
                .init("id", .integer(nil)), .conversation,
                .init("state", .choice(CallStatus.State.allCases.map(\.rawValue))),
                .init("polite", .boolean), .init("ice", .list(.named("RelayServer"))),
                .init("relayOnly", .boolean, optional: true),
            ]),
            """
            How a call stands for one of its devices. `polite`: give way where both make an offer at once. `ice`: the \
            servers that help to connect; `relayOnly`: media may only go over them.
            """
        ),
        (
            "CallReadiness",
            .object([
                .init("problem", .choice(CallReadiness.Problem.allCases.map(\.rawValue)), optional: true),
                .init("camera", .boolean), .init("host", .boolean), .init("reflexive", .boolean),
                .init("relay", .boolean), .init("down", .integer(Limits.callDownKbits), optional: true),
            ]),
            """
            What a device can do for a call. `problem`: what makes it impossible; `camera`: there is one that is not \
            blocked; `host`, `reflexive`, `relay`: the kinds of addresses that the device found for itself; `down`: \
            what the browser expects of the network, in kbit/s.
            """
        ),
        (
            "CallCheck",
            .object([
                .conversation, .init("ice", .list(.named("RelayServer"))),
                .init("relayOnly", .boolean, optional: true),
            ]), "Asks a device what it can do for a call: `ice` and `relayOnly` as in CallStatus."
        ),
        (
            "CallChecked",
            .object([.init("c", .id, as: "conversation"), .init("ready", .named("CallReadiness"), as: "readiness")]),
            "What a device of the consumer of conversation `c` answered."
        ),
        (
            "Expectation",
            .object([
                .init("open", .boolean),
                .init(
                    "hours", .object([.init("open", .boolean), .init("opens", .time, optional: true)])),
                .init("by", .time, optional: true), .init("late", .boolean, optional: true),
                .init("position", .integer(nil), optional: true),
            ]),
            """
            What a waiting consumer can expect. `open`: somebody can answer now; `hours`: the opening hours of the \
            skill. `by` is never in the past: where `late` is `true` an earlier time was promised and passed, and `by` \
            is the new one, if there is one. `position` counts from 1 and is omitted once an agent has the \
            conversation, or while one agent alone may take it.
            """
        ),
        (
            "Colleague",
            .object([
                .init("id", .name), .init("name", .string), .init("role", WireType.role),
                .init(
                    "presence",
                    .object([
                        .init("state", .choice(["online", "occupied", "away", "offline"])),
                        .init("reason", .string, optional: true), .init("since", .time),
                    ])),
                .init("skills", .list(.name)), .init("load", .integer(nil)), .init("capacity", .integer(nil)),
                .init("open", .integer(nil)), .init("readOnly", .boolean, optional: true, as: "isReadOnly"),
            ]),
            """
            One of the brand's people. `load` is in thousandths of a conversation, `capacity` in whole ones. \
            `readOnly`: their profile does not let them answer, so they get no conversations.
            """

        ),
        (
            "Wall",
            .object([.init("skills", .list(.object(wallFields))), .init("people", .list(.named("Colleague")))]),
            """
            Queues and people. `closed`, `satisfied` (ratings 4 and 5), `rated`, `answered` (consumers who had been \
            told a time) and `kept` (of these, in time) count since the brand's midnight, in the time zone of \
            the default skill's opening hours. `broken`: consumers whose time has passed and who still wait.
            """
        ),
    ]

    private static let rowFields: [WireField] = [
        .init("c", .id, as: "conversation"), .init("p", .integer(nil), as: "position"),
        .init("status", .named("Status")),
        .init("to", .name, optional: true, as: "assignee"),
        .init("toName", .string, optional: true, as: "assigneeName"), .init("who", .string),
        .init("channel", .string), .init("app", .name), .init("n", .integer(nil), as: "sequence"), .init("at", .time),
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
                .init("for", .name, optional: true, as: "reserved"), .init("callback", .time, optional: true),
                .init("tags", .list(.string), optional: true), .init("csat", .integer(1...5), optional: true),
                .init("mentioned", .list(.name), optional: true), .init("afterword", .name, optional: true),
                .init("settled", .boolean, optional: true),
                .init(
                    "call",
                    .object([
                        .init("n", .integer(nil), as: "number"), .init("media", .callKind, as: "kind"),
                        .init("agent", .name), .init("until", .time), .init("since", .time, optional: true),
                    ]), optional: true),
                .init("wants", .callKind, optional: true, as: "wantedCall"),
            ]), optional: true),
    ]

    private static let wallFields: [WireField] = [
        .init("skill", .name), .init("queued", .integer(nil)), .init("oldest", .time, optional: true),
        .init("unplayed", .integer(nil)), .init("assigned", .integer(nil)), .init("overdue", .integer(nil)),
        .init("closed", .integer(nil)), .init("satisfied", .integer(nil)), .init("rated", .integer(nil)),
        .init("answered", .integer(nil)), .init("kept", .integer(nil)), .init("broken", .integer(nil)),
        .init("online", .integer(nil)),
    ]
}
