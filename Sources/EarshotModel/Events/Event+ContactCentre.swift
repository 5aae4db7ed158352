/// The contents of the contact centre's events: queue, offers, notes, callbacks, wrap-up and survey. On the wire each
/// of them is a kind of event (docs/protocol.md section 3).
extension Event {
    /// The content of a `queued` event.
    public typealias Queued = Queueing

    /// An offer of the conversation to agents. The consumer does not see it.
    public struct Offered: Hashable, Codable, Sendable {
        /// The agents who can accept: one, or every free agent with the skill.
        public let to: [AgentID]
        /// When the offer expires.
        public let until: Timestamp
        /// Makes the content of an `offered` event.
        public init(to: [AgentID], until: Timestamp) {
            self.to = to
            self.until = until
        }
    }

    /// The end of an offer that was not accepted. The consumer does not see it.
    public struct Declined: Hashable, Codable, Sendable {
        /// The agents whose offer ended.
        public let agents: [AgentID]
        /// `true` if the agents declined; `false` if the offer expired.
        public let said: Bool
        /// Makes the content of a `declined` event.
        public init(agents: [AgentID], said: Bool) {
            self.agents = agents
            self.said = said
        }
    }

    /// A private note, as text, as a recording, or both. The consumer does not see it.
    public struct Note: Hashable, Codable, Sendable {
        /// The written part, at most `Limits.noteScalars`. `nil` if the note is only spoken.
        public let text: String?
        /// The spoken part. `nil` if the note is only written.
        public let audio: AudioContent?
        /// The agents whom the note mentions; their inbox rows show it until they mark it as read.
        public let mentions: [AgentID]
        /// Makes the content of a `note` event.
        public init(text: String? = nil, audio: AudioContent? = nil, mentions: [AgentID] = []) {
            self.text = text
            self.audio = audio
            self.mentions = mentions
        }
    }

    /// The record that an agent marked a mention as read. The consumer does not see it.
    public struct Noticed: Hashable, Codable, Sendable {
        /// The agent who was mentioned.
        public let agent: AgentID
        /// Makes the content of a `noticed` event.
        public init(agent: AgentID) { self.agent = agent }
    }

    /// An agent's callback ("Promise to be back" in the workspace). The consumer sees it.
    public struct Callback: Hashable, Codable, Sendable {
        /// When the agent will be back. `nil` if the agent is back now.
        public let until: Timestamp?
        /// Makes the content of a `callback` event.
        public init(until: Timestamp?) { self.until = until }
    }

    /// The conversation's tags after a change. The consumer does not see them.
    public struct Tagged: Hashable, Codable, Sendable {
        /// All tags of the conversation from now on, not only the new ones.
        public let tags: [String]
        /// Makes the content of a `tagged` event.
        public init(tags: [String]) { self.tags = tags }
    }

    /// One attribute of a conversation and its new value. The consumer does not see it.
    public struct Attribute: Hashable, Codable, Sendable {
        /// The attribute's name. It does not have to be in the brand's list.
        public let name: String
        /// The new value. `nil` removes the attribute.
        public let value: String?
        /// Makes an attribute to set, or with a `nil` value to remove.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The wrap-up code that an agent chose. The consumer does not see it.
    public struct Disposed: Hashable, Codable, Sendable {
        /// The code's id in the brand's settings.
        public let id: String
        /// The code's name at that time, so that it stays readable after the brand deletes the code.
        public let name: String
        /// Makes the content of a `disposed` event.
        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A change of the urgent mark. The consumer does not see it.
    public struct Urgent: Hashable, Codable, Sendable {
        /// `true` if the conversation is urgent from now on, and has the urgent response time.
        public let on: Bool
        /// Makes the content of an `urgent` event.
        public init(on: Bool) { self.on = on }
    }

    /// An automatic message that Earshot sent. Consumer and agents see it.
    public struct Automatic: Hashable, Codable, Sendable {
        /// The occasion that triggered the message.
        public let on: AutomaticMessage.Occasion
        /// The text as it was sent, with all placeholders filled in.
        public let text: String
        /// Makes the content of an `automatic` event.
        public init(on: AutomaticMessage.Occasion, text: String) {
            self.on = on
            self.text = text
        }
    }

    /// The survey as the consumer gets it, copied from the brand's settings at that time.
    public struct Surveyed: Hashable, Codable, Sendable {
        /// The brand's question, shown above the ratings.
        public let question: String
        /// Whether the survey asks for a satisfaction score from 1 to 5.
        public let csat: Bool
        /// Whether the survey asks for a recommendation score from 0 to 10.
        public let nps: Bool
        /// Whether the survey accepts a comment, typed or spoken.
        public let words: Bool
        /// When the survey expires; later answers get `survey_closed`.
        public let until: Timestamp
        /// Makes the content of a `surveyed` event.
        public init(question: String, csat: Bool, nps: Bool, words: Bool, until: Timestamp) {
            (self.question, self.csat, self.nps, self.words, self.until) = (question, csat, nps, words, until)
        }
    }

    /// An answer to the survey, or a part of it. A later answer adds to the earlier ones.
    public struct Rated: Hashable, Codable, Sendable {
        /// Satisfaction from 1 to 5. `nil` if this answer has none.
        public let csat: Int?
        /// Likelihood to recommend from 0 to 10. `nil` if this answer has none.
        public let nps: Int?
        /// A typed comment. `nil` if this answer has none.
        public let text: String?
        /// A spoken comment. `nil` if this answer has none.
        public let audio: AudioContent?
        /// Makes the content of a `rated` event; parts that the consumer did not answer are `nil`.
        public init(csat: Int? = nil, nps: Int? = nil, text: String? = nil, audio: AudioContent? = nil) {
            (self.csat, self.nps, self.text, self.audio) = (csat, nps, text, audio)
        }
    }
}

/// The queue that a conversation waits in, and why. The consumer does not see it.
public struct Queueing: Hashable, Codable, Sendable {
    /// The skill whose queue the conversation is in.
    public let skill: SkillID
    /// What moved the conversation into the queue.
    public let why: Why
    /// The agent that the conversation is reserved for. `nil` if any agent with the skill may take it.
    public let to: AgentID?
    /// When the reservation for `to` ends. `nil` without a reservation.
    public let until: Timestamp?
    /// Makes the content of a `queued` event.
    public init(skill: SkillID, why: Why, to: AgentID? = nil, until: Timestamp? = nil) {
        self.skill = skill
        self.why = why
        self.to = to
        self.until = until
    }

    /// A cause for queueing a conversation.
    public enum Why: String, Hashable, Codable, Sendable, CaseIterable {
        /// A routing rule chose the skill when the conversation began or resumed.
        case routed
        /// An agent transferred it to a skill or to another agent.
        case transferred
        /// Its agent returned it to the queue.
        case returned
        /// Its agent did not answer within the brand's limit (`Silence`).
        case silent
        /// Its agent went offline for longer than the brand allows (`Silence.offlineSeconds`).
        case offline
        /// No agent with the original skill was online, so it moved to that skill's fallback.
        case fallback
        /// The agent that it was reserved for did not take it in time.
        case unanswered
        /// The agent who had it, or was asked to take it, may not answer.
        case noPermission
    }
}

/// The end of a close that was taken back. Consumer and agents see it.
public struct Reopening: Hashable, Codable, Sendable {
    /// The participant who answers again. `nil` if the conversation waits again.
    public let to: ParticipantNumber?
    /// Makes the content of a `reopened` event.
    public init(to: ParticipantNumber?) { self.to = to }
}

extension Event.Kind {
    /// Whether the event comes from the contact centre's work, not from the exchange between consumer and agent. These
    /// kinds are rare, so one general codec serves them.
    public var isContactCentre: Bool {
        switch self {
        case .queued, .offered, .declined, .note, .noticed, .callback, .tagged, .attribute, .disposed, .urgent,
            .automatic, .left, .surveyed, .rated, .reopened, .settled, .callInvited, .callAnswered, .callEnded,
            .callRequested:
            true
        case .started, .text, .audio, .scanned, .joined, .assigned, .closed, .resumed, .unknown: false
        }
    }

    /// Whether only the brand's people receive the event. Consumers never get it, on any path.
    public var isPrivate: Bool {
        switch self {
        case .queued, .offered, .declined, .note, .noticed, .tagged, .attribute, .disposed, .urgent, .settled: true
        case .callback, .automatic, .left, .surveyed, .rated, .reopened, .callInvited, .callAnswered, .callEnded,
            .callRequested:
            false
        case .started, .text, .audio, .scanned, .joined, .assigned, .closed, .resumed, .unknown: false
        }
    }
}
