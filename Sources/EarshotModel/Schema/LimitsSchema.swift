/// The limits that a client can meet.
enum LimitsSchema {
    /// Each limit, in the order of the documentation.
    static let limits: [WireLimit] = messageLimits + transferLimits

    private static let messageLimits: [WireLimit] = [
        .init("webTextScalars", Limits.webTextScalars, "Unicode scalars", "a message on web; `text_too_long`"),
        .init("noteScalars", Limits.noteScalars, "Unicode scalars", "a private note; `text_too_long`"),
        .init(
            "ratingScalars", Limits.ratingScalars, "Unicode scalars",
            """
            the text of a survey's answer; `text_too_long`
            """),
        .init("mentions", Limits.mentions, "people", "mentions in one note; `out_of_range`"),
        .init("tags", Limits.tags, "tags", "tags of one conversation; `out_of_range`"),
        .init("tagScalars", Limits.tagScalars, "Unicode scalars", "a tag, or an attribute's name; `out_of_range`"),
        .init("historyDays", Limits.historyDays, "days", "of history that consumers see; `setting_out_of_range`"),
        .init("attributes", Limits.attributes, "attributes", "attributes of one conversation; `out_of_range`"),
        .init("attributeScalars", Limits.attributeScalars, "Unicode scalars", "an attribute's value; `out_of_range`"),
        .init("callbackSeconds", Limits.callbackSeconds, "seconds", "`callback` (0 ends it); `out_of_range`"),
        .init("reopenSeconds", Limits.reopenSeconds, "seconds", "`reopen` after a close; `reopen_expired`"),
        .init(
            "afterwordSeconds", Limits.afterwordSeconds, "seconds",
            "after a close in which a consumer's message opens nothing: it is an `afterword`"),
        .init(
            "afterwordHoldSeconds", Limits.afterwordHoldSeconds, "seconds",
            "an afterword waits for someone of the brand; then it resumes the conversation"),
        .init("playedSpans", Limits.playedSpans, "spans", "one `played` frame; `problem` `bad_request`"),
        .init("playedMs", Limits.playedMs, "ms", "bounds of a span in `played`; `problem` `bad_request`"),
        .init("pageEvents", Limits.pageEvents, "events", "a snapshot, and a page unless it asks for another number"),
        .init("pageEventsMaximum", Limits.pageEventsMaximum, "events", "a page; a cursor further behind gets `fresh`"),
        .init("openRows", Limits.openRows, "rows", "open conversations in an agent's first inbox"),
        .init("closedRows", Limits.closedRows, "rows", "closed conversations in an agent's first inbox"),
        .init("changedRows", Limits.changedRows, "rows", "one `rows` frame; an agent who missed more gets `fresh`"),
        .init(
            "unansweredDays", Limits.unansweredDays, "days",
            "a conversation that waits for an answer and in which nobody does anything; then Earshot closes it"),
        .init(
            "searches", Limits.searches, "searches",
            "at a time, for all brands; one less for each brand, one for each person"),
        .init("listedConversations", Limits.listedConversations, "conversations", "a list that is exported"),
        .init("searchMs", Limits.searchMs, "ms", "a search"),
        .init(
            "searchPrefixScalars", Limits.searchPrefixScalars, "scalars",
            "the shortest beginning of a word that a search completes"),
        .init("previewCharacters", Limits.previewCharacters, "characters", "the last message in an inbox row is cut"),
        .init("unread", Limits.unread, "messages", "`unread` stops here: 99 means 99 or more"),
        .init(
            "unplayedMessages", Limits.unplayedMessages, "messages",
            """
            voice messages that `unplayed` counts, the newest
            """),
        .init("watches", Limits.watches, "conversations", "watched at a time on one socket; `too_many_watches`"),
    ]

    private static let transferLimits: [WireLimit] = [
        .init(
            "audioDurationMs", Limits.audioDurationMs, "ms",
            """
            what a brand can set as the longest voice message; `audio_too_long`
            """),
        .init("audioBytes", Limits.audioBytes, "bytes", "a recording; `audio_too_large`"),
        .init("uploadChunkBytes", Limits.uploadChunkBytes, "bytes", "one `PATCH` of an upload; `too_large`"),
        .init(
            "uploadsPerOwner", Limits.uploadsPerOwner, "uploads",
            """
            unfinished at a time for one person; `rate_limited` until one is finished, deleted, or 24 h old
            """),
        .init(
            "keptMessages", Limits.keptMessages, "messages",
            """
            what a brand can have devices keep; `setting_out_of_range`
            """),
        .init("jsonBodyBytes", Limits.jsonBodyBytes, "bytes", "a JSON body; `too_large`"),
        .init(
            "centreBodyBytes", Limits.centreBodyBytes, "bytes",
            """
            a section of the contact-centre settings; `too_large`
            """),
        .init("frameBytes", Limits.frameBytes, "bytes", "a frame from a client, assembled; close 1009"),
        .init("frameFragments", Limits.frameFragments, "fragments", "of one frame; close 1008"),
        .init(
            "refusedKeyBytes", Limits.refusedKeyBytes, "bytes",
            "a key of the wrong form, as `no` repeats it; beyond that `problem`"),
    ]
}
