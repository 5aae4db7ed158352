import EarshotCore
import EarshotDomain
import EarshotModel

/// Finding conversations.
extension ContactCentreStoreContract {
    static var searchChecks: [Check] { wordChecks + indexChecks + filterChecks + tagChecks }

    private static var wordChecks: [Check] {
        [
            check("What was said before a search is found by it: in words, notes and names, and in this brand only") {
                store in
                let probe = StoreProbe(store)
                try await story(probe)
                try same(try await found(store, words: "parcel"), [1], "a word")
                try same(try await found(store, words: "PARC"), [1], "the beginning of one, in other letters")
                try same(try await found(store, words: "PA"), [], "two letters are a word")
                try same(try await found(store, words: "where parcel"), [1], "two words of one message")
                try same(try await found(store, words: "naive cafe"), [2], "without accents")
                try same(try await found(store) { ($0.words, $0.includesNotes) = ("fragile", true) }, [1], "a note")
                try same(try await found(store, words: "vip"), [1], "a tag")
                try same(try await results(.words("vip"), store).first?.match, nil, "a tag is no message")
                try same(
                    try await results(.words("vip"), store, in: AccountID(trusted: "other")).count, 0,
                    "another brand's tag")
                try same(try await found(store, words: "nothing"), [], "what nobody said")
                try same(try await found(store, words: "parcel\" OR \"cafe"), [], "no query of its own")
                try same(try await found(store, words: "\"*:^("), [], "no words")
                try same(
                    try await results(.words("parcel"), store, in: AccountID(trusted: "other")).count, 0,
                    "another brand's")
                let match = try await results(.words("parcel"), store).first?.match
                try same(
                    match, SearchResult.Match(n: 2, at: probe.clock.now, by: .consumer, text: "Where is my parcel?"),
                    "the match")
            }
        ]
    }

    private static var indexChecks: [Check] {
        [
            check("The same is found before and after it is indexed") { store in
                let probe = StoreProbe(store)
                try await story(probe)
                for words in ["parcel", "and bil", "fragile", "naive", "visitor", "nothing"] {
                    var query = SearchQuery.words(words)
                    query.includesNotes = true
                    let before = try await results(query, store)
                    try same(before.isEmpty, words == "nothing", "\(words) is found")
                    while try await store.contactCentre.index(atMost: 3) > 0 {}
                    try same(try await results(query, store), before, words)
                }
                try same(try await store.contactCentre.index(atMost: 3), 0, "nothing is left")
                try await probe.accept(.say("Another parcel"), key: "more", in: identity(2))
                try same(try await found(store, words: "parcel"), [2, 1], "indexed and not yet indexed ones together")
            },
            check("Private notes are found only by a search that includes them, whether they are indexed or not") {
                store in
                let probe = StoreProbe(store)
                try await story(probe)
                for isIndexed in [false, true] {
                    while isIndexed, try await store.contactCentre.index(atMost: 100) > 0 {}
                    for words in ["fragile", "fra", "it is fragile"] {
                        try same(try await found(store, words: words), [], "\(words), indexed: \(isIndexed)")
                        try same(
                            try await found(store) { ($0.words, $0.includesNotes) = (words, true) }, [1],
                            "\(words) with notes, indexed: \(isIndexed)")
                    }
                    try same(try await found(store, words: "parcel"), [1], "a text beside a note: \(isIndexed)")
                }
                // The newest match is a note: the older text is what is found.
                try await probe.accept(.note(.init(text: "The parcel is lost")), key: "n2", in: identity(1), by: .dana)
                for isIndexed in [false, true] {
                    while isIndexed, try await store.contactCentre.index(atMost: 100) > 0 {}
                    let match = try await results(.words("parcel"), store).first?.match
                    try same(match?.text, "Where is my parcel?", "the match, indexed: \(isIndexed)")
                }
            },
            check("A consumer is found by the name that they have now, in this brand only") { store in
                let probe = StoreProbe(store)
                var consumer = Consumer(
                    id: identity(1).consumer, account: identity(1).account, app: identity(1).app,
                    conversation: identity(1).id, since: probe.clock.now, name: "Ada Lovelace", page: nil,
                    language: nil, device: nil)
                try await store.accounts.save(consumer)
                try await story(probe)
                try same(try await found(store, words: "love"), [1], "before it is indexed")
                while try await store.contactCentre.index(atMost: 100) > 0 {}
                try same(try await found(store, words: "ada love"), [1], "after it is indexed")
                consumer.name = "Ada King"
                try await store.accounts.save(consumer)
                try same(try await found(store, words: "lovelace"), [], "the name before")
                try same(try await found(store, words: "ada king"), [1], "the name now")
                try same(
                    try await results(.words("ada"), store, in: AccountID(trusted: "other")).count, 0,
                    "another brand's")
            },
        ]
    }

    private static var filterChecks: [Check] {
        [
            check("Filters hold together, the newest change comes first, and pages follow") { store in
                let probe = StoreProbe(store)
                try await story(probe)
                try same(try await found(store) { _ in }, [2, 1], "all")
                try same(try await found(store) { $0.limit = 1 }, [2], "one")
                let last = try await results(SearchQuery(limit: 1), store).first?.row.position
                try same(try await found(store) { $0.before = last }, [1], "the next")
                try same(try await found(store) { $0.status = .waiting }, [2], "by status")
                try same(try await found(store) { $0.agent = AgentID(trusted: "agent-dana") }, [1], "by agent")
                try same(try await found(store) { $0.tag = "vip" }, [1], "by tag")
                try same(try await found(store) { $0.skill = SkillID(trusted: "orders") }, [2, 1], "by skill")
                try same(try await found(store) { $0.skill = SkillID(trusted: "other") }, [], "by another skill")
                try same(try await found(store) { $0.csat = 3 }, [], "by a rating that nobody gave")
                try same(try await found(store) { $0.from = probe.clock.now }, [2, 1], "from now")
                try same(
                    try await found(store) { $0.to = probe.clock.now.adding(milliseconds: -1) }, [], "until just before"
                )
                try same(
                    try await found(store) { ($0.words, $0.status) = ("parcel", .waiting) }, [], "words and status")
            },
            check("Unfinished are those that wait or are open, and those closed since then") { store in
                let probe = StoreProbe(store)
                try await story(probe)
                let now = probe.clock.now
                try same(
                    Set(try await store.contactCentre.unfinishedConversations(closedSince: now)),
                    Set([identity(1).id, identity(2).id]), "open ones")
                try await probe.accept(.say("It is here."), key: "answer", in: identity(1), by: .dana)
                try await probe.accept(.close, key: "close", in: identity(1), by: .dana)
                try same(
                    try await store.contactCentre.unfinishedConversations(closedSince: now).count, 2,
                    "with the one just closed")
                let left = try await store.contactCentre.unfinishedConversations(
                    closedSince: now.adding(milliseconds: 1))
                try same(left, [identity(2).id], "without it")
                try await probe.accept(.say("Thanks!"), key: "afterword", in: identity(1), by: .consumer)
                try same(
                    Set(
                        try await store.contactCentre.unfinishedConversations(
                            closedSince: now.adding(milliseconds: 86_400_000))),
                    Set([identity(1).id, identity(2).id]), "an afterword waits, however late it is")
                let open = try await store.contactCentre.unfinished(left)
                try same(open.first?.state, try await probe.view(identity(2)).state, "its state")
            },
        ]
    }

    private static var tagChecks: [Check] {
        [
            check("Filters follow what changes") { store in
                let probe = StoreProbe(store)
                try await story(probe)
                try await probe.accept(.tags(["late"]), key: "other tags", in: identity(1), by: .dana)
                try same(try await found(store) { $0.tag = "vip" }, [], "a tag that was removed")
                try same(try await found(store) { $0.tag = "late" }, [1], "a tag that was added")
                try await probe.accept(
                    .tags(["Broken Pole", "café-30"]), key: "free tags", in: identity(2), by: .dana)
                try same(try await found(store, words: "broken pol"), [2], "words of a tag, the last one begun")
                try same(try await found(store, words: "CAFE"), [2], "a tag and a text, in other letters")
                try same(try await found(store, words: "broken parcel"), [], "words of a tag and of a text")
                try same(try await found(store, words: "vip"), [], "the words of a tag that was removed")
                try same(try await found(store) { ($0.words, $0.tag) = ("late", "late") }, [1], "words and a filter")
            },
        ]
    }

    private static func identity(_ number: Int) -> ConversationIdentity { .sample(number) }

    /// Two conversations of one brand: the first answered by Dana, with a note and a tag.
    private static func story(_ probe: StoreProbe) async throws {
        for (number, text) in [(1, "Where is my parcel?"), (2, "Naïve café")] {
            try await probe.accept(.say(text), key: "first", in: identity(number))
            _ = try await probe.perform(
                probe.change(
                    .route, with: .init(route: Routed(skill: SkillID(trusted: "orders"), urgent: false)), key: "route",
                    in: identity(number))
            ).get()
        }
        try await probe.accept(.take, key: "take", in: identity(1), by: .dana)
        try await probe.accept(.note(.init(text: "It is fragile")), key: "note", in: identity(1), by: .dana)
        try await probe.accept(.tags(["vip"]), key: "tags", in: identity(1), by: .dana)
        try await probe.accept(.say("And the bill?"), key: "again", in: identity(2))
    }

    private static func found(_ store: Subject.Store, words: String) async throws -> [Int] {
        try await found(store) { $0.words = words }
    }

    /// The numbers of the conversations that are found.
    private static func found(_ store: Subject.Store, _ set: (inout SearchQuery) -> Void) async throws -> [Int] {
        var search = SearchQuery(limit: 10)
        set(&search)
        return try await results(search, store).compactMap { found in
            [1, 2].first { identity($0).id == found.row.conversation }
        }
    }

    private static func results(
        _ query: SearchQuery, _ store: Subject.Store, in account: AccountID = identity(1).account
    ) async throws -> [SearchResult] {
        guard case .found(let found) = try await store.contactCentre.search(query, in: account) else {
            throw ContractBroken(description: "the search was too slow")
        }
        return found
    }
}

extension SearchQuery {
    static func words(_ words: String) -> SearchQuery {
        var search = SearchQuery(limit: 10)
        search.words = words
        return search
    }
}
