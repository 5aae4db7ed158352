import EarshotModel
import EarshotTestKit

/// Values of the wire, made from a seed: every kind, with and without what can be omitted.
struct RandomWire {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func flag() -> Bool { Bool.random(using: &random) }

    mutating func clientFrame() -> ClientFrame {
        let key = IdempotencyKey(trusted: name())
        let conversation = maybe { $0.conversation() }
        return switch Int.random(in: 0..<20, using: &random) {
        case 0:
            .hello(
                .consumer(
                    token: text(), after: maybe { $0.number() }, epoch: maybe { $0.name() },
                    settings: maybe { $0.number() }))
        case 1: .hello(.agent(ticket: text(), position: maybe { Int64($0.number()) }, epoch: maybe { $0.name() }))
        case 2:
            .send(
                .init(
                    key: key, conversation: conversation,
                    body: flag() ? .text(text()) : .audio(MediaID(trusted: name())), read: maybe { $0.number() }))
        case 3: .take(key, self.conversation())
        case 4: .close(key, conversation)
        case 5: .ask(key, conversation, command())
        case 6: .presence(one(of: [.online, .occupied, .away, .offline]), reason: maybe { $0.text() })
        case 7: flag() ? .team(flag()) : .wall(flag())
        case 8: .typing(flag(), conversation)
        case 9: .got(number(), conversation)
        case 10: .read(number(), conversation)
        case 11: .played(played(in: conversation))
        case 12: .watch(self.conversation(), after: maybe { $0.number() })
        case 13: .unwatch(self.conversation())
        case 14: .renew(token: text())
        case 15:
            .call(
                .init(call: number(), in: conversation, device: DeviceID(trusted: name()), isFresh: flag()))
        case 16: .signal(.init(call: number(), in: conversation, signal()))
        case 17: .check(self.conversation())
        case 18: .checked(readiness())
        default: .page(conversation, before: number(), limit: maybe { $0.number() })
        }
    }

    mutating func serverFrame() -> ServerFrame {
        let conversation = maybe { $0.conversation() }
        let key = IdempotencyKey(trusted: name())
        return switch Int.random(in: 0..<23, using: &random) {
        case 0:
            .ready(
                .init(
                    epoch: name(), status: status(), people: list { $0.participant() }, marks: list { $0.mark() },
                    events: list { $0.event() }, through: number(), more: flag(), played: list { $0.playback() },
                    fresh: maybe { $0.flag() }))
        case 1:
            .inbox(
                .init(
                    epoch: name(), agent: agent(), rows: list { $0.row() }, position: Int64(number()), fresh: flag()))
        case 2: .events(.init(events: list { $0.event() }, conversation: conversation, through: maybe { $0.number() }))
        case 3:
            .watching(
                .init(
                    conversation: self.conversation(), status: status(), who: card(), people: list { $0.participant() },
                    marks: list { $0.mark() }, events: list { $0.event() }, through: number(), more: flag(),
                    played: list { $0.playback() }, recorded: maybe { $0.recorded() }, fresh: flag()))
        case 4:
            .page(
                .init(
                    conversation: conversation, events: list { $0.event() }, more: flag(),
                    played: list { $0.playback() }))
        case 5: .ok(.init(key: key, sequence: number(), at: time(), conversation: conversation))
        case 6:
            .no(
                .init(
                    key: key, code: name(), text: text(), conversation: conversation, limit: maybe { $0.number() },
                    after: maybe { $0.number() }))
        case 7: .typing(.init(by: participantNumber(), conversation: conversation, isOff: flag()))
        case 8: .marks(.init(marks: list { $0.mark() }, conversation: conversation))
        case 9: .played(.init(played: list { $0.playback() }, conversation: conversation))
        case 10:
            .settings(
                .init(
                    version: number(),
                    audio: .init(
                        isOn: flag(), why: maybe { $0.one(of: SettingsView.Reason.allCases) }, limitMs: number(),
                        keep: .random(in: Limits.keptMessages, using: &random)),
                    calls: maybe { .init(voice: $0.flag(), video: $0.flag(), requests: $0.flag()) }))
        case 11: .rows(.init(rows: list { $0.row() }, position: Int64(number()), gone: list { $0.conversation() }))
        case 12: .expect(maybe { $0.expectation() })
        case 13: .me(colleague())
        case 14: .team(list { $0.colleague() })
        case 15: .wall(wall())
        case 16: .centre(number())
        case 18: .signal(.init(signal(), of: number(), in: conversation))
        case 19:
            .call(
                .init(
                    id: number(), in: conversation, state: one(of: CallStatus.State.allCases),
                    polite: flag(),
                    ice: list { .init(urls: [$0.text()], username: $0.maybe { $0.text() }, credential: nil) },
                    relayOnly: flag()))
        case 21:
            .check(
                .init(
                    in: conversation, ice: list { .init(urls: [$0.text()], username: nil, credential: nil) },
                    relayOnly: flag()))
        case 22: .checked(.init(readiness(), in: self.conversation()))
        case 17: .problem(.init(code: name(), text: text(), conversation: conversation))
        default: .bye(.init(code: name(), text: text(), after: maybe { $0.number() }))
        }
    }

    private mutating func readiness() -> CallReadiness {
        CallReadiness(
            problem: maybe { $0.one(of: CallReadiness.Problem.allCases) }, camera: flag(), host: flag(),
            reflexive: flag(), relay: flag(), down: maybe { .random(in: Limits.callDownKbits, using: &$0.random) })
    }

    mutating func event() -> Event {
        Event(sequence: number(), at: time(), by: participantNumber(), kind: kind())
    }

    private mutating func kind() -> Event.Kind {
        switch Int.random(in: 0..<28, using: &random) {
        case 0: .started(.init(channel: .web, app: AppID(trusted: name())))
        case 1: .text(text())
        case 2: .audio(audio())
        case 3: .scanned(.init(of: number(), verdict: one(of: Verdict.allCases)))
        case 4: .joined(.init(role: role(), name: text(), id: maybe { $0.agent() }, quiet: flag()))
        case 5: .assigned(.init(to: participantNumber()))
        case 6: .closed(.init(why: maybe { $0.one(of: Event.Closed.Why.allCases) }, quiet: flag()))
        case 7: .resumed
        case 8:
            .queued(
                .init(
                    skill: skill(), why: one(of: Event.Queued.Why.allCases), to: maybe { $0.agent() },
                    until: maybe { $0.time() }))
        case 9: .offered(.init(to: list { $0.agent() }, until: time()))
        case 10: .declined(.init(agents: list { $0.agent() }, said: flag()))
        case 11:
            .note(.init(text: maybe { $0.text() }, audio: maybe { $0.audio() }, mentions: list { $0.agent() }))
        case 12: .noticed(.init(agent: agent()))
        case 13: .callback(.init(until: maybe { $0.time() }))
        case 14: .tagged(.init(tags: list { $0.text() }))
        case 15: .attribute(attribute())
        case 16: .disposed(.init(id: name(), name: text()))
        case 17: .urgent(.init(on: flag()))
        case 18: .automatic(.init(on: one(of: AutomaticMessage.Occasion.allCases), text: text()))
        case 19: .left
        case 20: .reopened(.init(to: maybe { $0.participantNumber() }))
        case 21: .settled
        case 23: .callInvited(.init(kind: one(of: CallKind.allCases), until: time()))
        case 24: .callAnswered(.init(of: number()))
        case 25:
            .callEnded(
                .init(
                    of: number(), why: one(of: CallEnding.Why.allCases), ms: maybe { Int64($0.number()) },
                    quality: maybe { $0.quality() }))
        case 26: .callRequested(.init(kind: one(of: CallKind.allCases)))
        case 22: .surveyed(.init(question: text(), csat: flag(), nps: flag(), words: flag(), until: time()))
        default:
            .rated(
                .init(
                    csat: maybe { Int.random(in: 1...5, using: &$0.random) },
                    nps: maybe { Int.random(in: 0...10, using: &$0.random) }, text: maybe { $0.text() },
                    audio: maybe { $0.audio() }))
        }
    }

    private mutating func quality() -> CallQuality {
        CallQuality(lost: 7, jitterMs: 12, rttMs: 40, mos: Int.random(in: 100...450, using: &random), relayed: flag())!
    }

    private mutating func signal() -> CallSignal {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .description(.init(type: one(of: CallSignal.Description.Kind.allCases), sdp: text()))
        case 1:
            .candidate(
                .init(
                    candidate: text(), sdpMid: maybe { $0.text() }, sdpMLineIndex: maybe { $0.number() },
                    usernameFragment: maybe { $0.text() }))
        default: .media(.init(microphone: flag(), camera: flag(), screen: flag()))
        }
    }

    private mutating func command() -> Command {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: .decline
        case 1:
            .transfer(
                .init(
                    skill: maybe { $0.skill() }, agent: maybe { $0.agent() }, note: maybe { $0.text() },
                    audio: maybe { MediaID(trusted: $0.name()) }))
        case 2: .takeOver
        case 3: .join
        case 4: .leave
        case 5:
            .note(
                .init(
                    text: maybe { $0.text() }, audio: maybe { MediaID(trusted: $0.name()) },
                    mentions: maybe { $0.list { $0.agent() } }))
        case 6: .callback(.random(in: 0...604_800, using: &random))
        case 7: .tags(list { $0.text() })
        case 8: .attribute(attribute())
        case 9: .dispose(name())
        case 10: .urgent(flag())
        case 11: .closeQuietly
        case 12: .noticed
        case 13: .reopen
        case 14: .settle
        case 15: .invite(one(of: CallKind.allCases))
        case 16: .answerCall(number())
        case 17: .hangUp(.init(call: number(), failed: flag(), quality: maybe { $0.quality() }))
        case 18: .requestCall(one(of: CallKind.allCases))
        default:
            .rate(
                .init(
                    csat: maybe { Int.random(in: 1...5, using: &$0.random) },
                    nps: maybe { Int.random(in: 0...10, using: &$0.random) }, text: maybe { $0.text() },
                    audio: maybe { MediaID(trusted: $0.name()) }))
        }
    }
}

/// The types that frames and events refer to.
extension RandomWire {
    private mutating func row() -> InboxRow {
        InboxRow(
            conversation: conversation(), position: Int64(number()), status: status(), assignee: maybe { $0.agent() },
            assigneeName: maybe { $0.text() }, who: text(), channel: .web, app: AppID(trusted: name()),
            sequence: number(), at: time(), since: time(),
            last: maybe {
                .init(by: $0.participantNumber(), text: $0.maybe { $0.text() }, audio: $0.maybe { $0.number() })
            }, unread: .random(in: 0...Limits.unread, using: &random), unplayed: flag() ? number() : 0,
            routing: maybe { $0.routing() })
    }

    private mutating func routing() -> InboxRow.RoutingInfo {
        InboxRow.RoutingInfo(
            skill: maybe { $0.skill() }, urgent: flag() ? true : nil, due: maybe { $0.time() },
            offer: maybe { .init(to: $0.list { $0.agent() }, until: $0.time()) }, reserved: maybe { $0.agent() },
            callback: maybe { $0.time() }, tags: maybe { $0.list { $0.text() } },
            csat: maybe { Int.random(in: 1...5, using: &$0.random) }, mentioned: maybe { $0.list { $0.agent() } },
            afterword: maybe { $0.agent() }, settled: flag() ? true : nil,
            call: maybe {
                .init(
                    number: $0.number(), kind: $0.one(of: CallKind.allCases), agent: $0.agent(), until: $0.time(),
                    since: $0.maybe { $0.time() })
            }, wantedCall: maybe { $0.one(of: CallKind.allCases) })
    }

    private mutating func colleague() -> Colleague {
        Colleague(
            id: agent(), name: text(), role: role(),
            presence: .init(
                state: one(of: Presence.State.allCases), reason: maybe { $0.text() }, since: time()),
            skills: list { $0.skill() }, load: number(), capacity: number(), open: number(),
            isReadOnly: maybe { $0.flag() })
    }

    private mutating func wall() -> Wall {
        Wall(
            skills: list {
                Wall.Line(
                    skill: $0.skill(), queued: $0.number(), oldest: $0.maybe { $0.time() }, unplayed: $0.number(),
                    assigned: $0.number(), overdue: $0.number(), closed: $0.number(), satisfied: $0.number(),
                    rated: $0.number(), answered: $0.number(), kept: $0.number(), broken: $0.number(),
                    online: $0.number())
            }, people: list { $0.colleague() })
    }

    private mutating func expectation() -> Expectation {
        Expectation(
            by: maybe { $0.time() }, isLate: flag(), position: maybe { $0.number() }, open: flag(),
            hours: OpeningState(open: flag(), opens: maybe { $0.time() }))
    }

    private mutating func card() -> ConsumerCard {
        ConsumerCard(
            name: text(), app: AppID(trusted: name()), since: time(), page: maybe { $0.text() },
            language: maybe { $0.text() }, device: maybe { $0.text() }, verified: maybe { $0.claims() },
            related: maybe { random in
                random.list {
                    RelatedConversation(
                        conversation: ConversationID(trusted: $0.name()), name: $0.text(),
                        app: AppID(trusted: $0.name()), signedIn: $0.flag())
                }
            })
    }

    private mutating func recorded() -> RecordedFacts {
        RecordedFacts(
            attributes: list { RecordedFacts.Attribute(name: $0.text(), value: $0.text()) },
            disposition: maybe { $0.name() })
    }

    private mutating func claims() -> VerifiedClaims {
        VerifiedClaims(
            name: maybe { $0.text() }, email: maybe { $0.text() }, phone: maybe { $0.text() },
            others: list { VerifiedClaims.Claim(label: $0.text(), value: $0.text()) })
    }

    private mutating func participant() -> Participant {
        Participant(by: participantNumber(), role: role(), name: text(), id: maybe { $0.agent() }, quiet: flag())
    }

    private mutating func audio() -> AudioContent {
        AudioContent(
            media: MediaID(trusted: name()), durationMs: number(),
            waveform: list { .random(in: 0...100, using: &$0.random) }, sizeBytes: number(),
            loudness: maybe { -$0.number() }, scan: flag() ? .pending : nil)
    }

    private mutating func played(in conversation: ConversationID?) -> ClientFrame.Played {
        let spans = (0..<Int.random(in: Limits.playedSpans, using: &random)).compactMap { _ in
            let from = Int.random(in: Limits.playedMs, using: &random)
            return PlayedSpan(from: from, to: .random(in: from...Limits.playedMs.upperBound, using: &random))
        }
        guard let played = ClientFrame.Played(number(), in: conversation, spans: spans) else {
            preconditionFailure("the number of spans is in its range")
        }
        return played
    }

    private mutating func mark() -> Mark { Mark(by: participantNumber(), delivered: number(), read: number()) }

    private mutating func playback() -> PlaybackProgress {
        PlaybackProgress(
            sequence: number(), by: participantNumber(), percent: .random(in: 0...100, using: &random),
            isListened: flag())
    }

    private mutating func attribute() -> Event.Attribute { .init(name: text(), value: maybe { $0.text() }) }
    private mutating func status() -> ConversationStatus { one(of: ConversationStatus.allCases) }
    private mutating func role() -> Role { one(of: Role.allCases) }
    private mutating func agent() -> AgentID { AgentID(trusted: name()) }
    private mutating func skill() -> SkillID { SkillID(trusted: name()) }
    private mutating func conversation() -> ConversationID { ConversationID(trusted: name()) }
    private mutating func participantNumber() -> ParticipantNumber {
        ParticipantNumber(.random(in: 0...9, using: &random))
    }
    private mutating func time() -> Timestamp { Timestamp(milliseconds: Int64(number())) }
    private mutating func number() -> Int { .random(in: 0...(1 << 50), using: &random) }
}

extension RandomWire {
    private mutating func maybe<Value>(_ make: (inout RandomWire) -> Value) -> Value? { flag() ? make(&self) : nil }

    private mutating func list<Value>(_ make: (inout RandomWire) -> Value) -> [Value] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in make(&self) }
    }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    /// An id, 1 to 64 of its characters.
    private mutating func name() -> String {
        let characters = Array("ABCXYZabcxyz0189_-")
        let length = Int.random(in: 1...64, using: &random)
        return String((0..<length).map { _ in characters[Int.random(in: characters.indices, using: &random)] })
    }

    /// Control characters, quotes, slashes, and letters of several planes.
    private mutating func text() -> String {
        let scalars: [Unicode.Scalar] = [
            "\0", "\t", "\n", "\"", "\\", "/", "a", "\u{7f}", "ü", "\u{2028}", "\u{1f44b}",
        ]
        let length = Int.random(in: 0...12, using: &random)
        return String(String.UnicodeScalarView((0..<length).map { _ in one(of: scalars) }))
    }
}
