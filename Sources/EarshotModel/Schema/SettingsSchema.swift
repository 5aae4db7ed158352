/// The contact-centre settings, as `GET` and `PUT /v1/centre` carry them.
enum SettingsSchema {
    private static let words = WireType.string
    private static let count = WireType.integer(nil)

    private static func seconds(_ name: String, optional: Bool = false) -> WireField {
        WireField(name, count, optional: optional, in: .seconds)
    }

    /// The sections of the contact-centre settings: `PUT /v1/centre/{section}` takes one of them.
    static let sections: [(name: String, type: WireType, about: String)] = [
        ("skills", .list(.named("Skill")), "Exactly one is the default."),
        (
            "people", .list(.named("Seat")),
            "An agent who is not listed has every skill and a capacity of 3, a manager none."
        ),
        ("hours", .list(.named("Hours")), "When skills are staffed. Day 1 is Monday; minutes are since midnight."),
        ("rules", .list(.named("RoutingRule")), "The first whose conditions all hold wins; none: the default skill."),
        ("capacity", .named("Capacity"), "Weights are in thousandths of a whole conversation."),
        ("silence", .named("Silence"), "After how long without an answer a conversation returns to the queue."),
        ("automatic", .list(.named("AutomaticMessage")), "The most specific one that matches is sent."),
        ("canned", .list(.named("CannedReply")), "Replies that agents insert."),
        ("wrapUp", .named("WrapUp"), "Wrap-up codes, tags and attributes."),
        ("survey", .named("Survey"), "The survey after the end."),
    ]

    /// The types of the contact-centre settings.
    static let types: [(name: String, type: WireType, about: String)] = [
        (
            "Skill",
            .object([
                .init("id", .name), .init("name", words), .init("default", .boolean, as: "isDefault"),
                .init("fallback", .name, optional: true), .init("accept", .choice(AcceptMode.allCases.map(\.rawValue))),
                seconds("offerSeconds"),
                .init("sla", .object([seconds("usual"), seconds("urgent"), seconds("first")])),
                .init("hours", .name, optional: true), seconds("autoCloseSeconds", optional: true),
                .init("velocity", count, in: .percent),
                .init("disposition", .choice(Requirement.allCases.map(\.rawValue))),
                .init("survey", .boolean),
            ]),
            """
            A routing label with its own queue. `sla` is in seconds of staffed time, `velocity` in percent; without \
            `hours` it is always staffed.
            """
        ),
        (
            "Seat",
            .object([
                .init("agent", .name), .init("skills", .list(.name)), .init("capacity", count),
                .init("listenSpeed", count, optional: true, in: .percent),
            ]), "An agent's skills and capacity. `listenSpeed` is in percent."
        ),
        (
            "Hours",
            .object([
                .init("id", .name), .init("name", words), .init("zone", words),
                .init(
                    "week", .list(.object([.init("day", .integer(1...7)), .init("from", count), .init("to", count)]))),
                .init(
                    "holidays",
                    .list(
                        .object([
                            .init("date", words), .init("name", words),
                            .init("open", .list(.object([.init("from", count), .init("to", count)]))),
                        ]))),
            ]), "Weekly shifts in an IANA time zone, and holidays; a holiday without `open` is closed."
        ),
        (
            "RoutingRule",
            .object([
                .init("id", .name), .init("name", words), .init("on", .boolean, as: "isOn"),
                .init(
                    "conditions",
                    .list(
                        .object([
                            .init("of", words), .init("test", .choice(RoutingRule.Test.allCases.map(\.rawValue))),
                            .init("value", words),
                        ]))),
                .init("skill", .name), .init("urgent", .boolean),
            ]),
            "Sends a new conversation to a skill. `of` is `page`, `language`, `channel`, `app` or `attribute.NAME`."
        ),
        (
            "Capacity",
            .object([
                .init("slack", count, in: .thousandths), .init("active", count, in: .thousandths),
                .init("idle", count, in: .thousandths), seconds("idleAfterSeconds"),
                seconds("backlogAfterSeconds", optional: true), seconds("backlogPauseSeconds"),
                seconds("callbackAtLeastSeconds"), seconds("callbackLeadSeconds"),
                seconds("unplayedSecondsPerSlot", optional: true), seconds("warmUpSeconds", optional: true),
            ]),
            """
            How much work a conversation is. `warmUpSeconds`: delay between first assignments when an agent comes \
            online.
            """
        ),
        (
            "Silence",
            .object([
                seconds("onlineSeconds", optional: true), seconds("awaySeconds", optional: true),
                seconds("offlineSeconds", optional: true), seconds("transferSeconds"),
                .init("awayReasons", .list(words)),
            ]), "By the agent's presence; omitted: never."
        ),
        (
            "AutomaticMessage",
            .object([
                .init("id", .name), .init("on", .choice(AutomaticMessage.Occasion.allCases.map(\.rawValue))),
                .init("skill", .name, optional: true), .init("language", words, optional: true),
                .init("enabled", .boolean, as: "isOn"), .init("text", words), .init("without", words, optional: true),
                seconds("afterSeconds", optional: true),
            ]),
            """
            A message that Earshot sends. `without` replaces a text whose placeholder has no value; `afterSeconds` \
            is for `consumerIdle`, `agentIdle` and `queued`, at least 15.
            """
        ),
        (
            "CannedReply",
            .object([
                .init("id", .name), .init("shortcut", words), .init("title", words),
                .init("skill", .name, optional: true), .init("language", words, optional: true), .init("text", words),
                .init("clip", .object([.init("media", .name), .init("ms", count, as: "durationMs")]), optional: true),
            ]), "A prepared reply; `clip` is the same, spoken."
        ),
        (
            "WrapUp",
            .object([
                .init(
                    "dispositions",
                    .list(.object([.init("id", .name), .init("name", words), .init("skill", .name, optional: true)]))),
                .init("tags", .list(words)),
                .init(
                    "attributes",
                    .list(
                        .object([
                            .init("id", .name), .init("name", words),
                            .init("type", .choice(["text", "number", "yesNo", "date"])),
                        ]))),
            ]), "What agents choose and set."
        ),
        (
            "Survey",
            .object([
                .init("on", .boolean, as: "isOn"), .init("csat", .boolean), .init("nps", .boolean),
                .init("words", .boolean),
                .init("question", words), seconds("openSeconds"),
            ]), "What is asked after the end."
        ),
    ]
}
