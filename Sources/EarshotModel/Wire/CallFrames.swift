/// Names one device of a call: a browser's tab, which keeps it over a reload.
public enum DeviceTag {}
/// The id of a device.
public typealias DeviceID = Identifier<DeviceTag>

/// A server that helps two devices of a call connect, as browsers take it.
public struct RelayServer: Hashable, Codable, Sendable {
    /// Addresses such as `turn:relay.example:3478?transport=udp`.
    public let urls: [String]
    /// The name for it. `nil` where it asks for none.
    public let username: String?
    /// The password. `nil` where it asks for none.
    public let credential: String?

    /// Makes the value.
    public init(urls: [String], username: String? = nil, credential: String? = nil) {
        (self.urls, self.username, self.credential) = (urls, username, credential)
    }
}

/// What one device of a call tells the other. It is never stored, and goes to that device alone.
public enum CallSignal: Hashable, Sendable {
    /// An offer or an answer.
    case description(Description)
    /// An address at which the device may be reached.
    case candidate(Candidate)
    /// What is switched on.
    case media(Media)

    /// A session description (RFC 8866, RFC 8829).
    public struct Description: Hashable, Codable, Sendable {
        /// What it is in the exchange.
        public let type: Kind
        /// The description, at most `Limits.descriptionBytes`.
        public let sdp: String

        /// Makes the value.
        public init(type: Kind, sdp: String) { (self.type, self.sdp) = (type, sdp) }

        /// The kinds of descriptions.
        public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
            /// Proposes a session.
            case offer
            /// Accepts it for the time being.
            case pranswer
            /// Accepts it.
            case answer
            /// Takes an offer back.
            case rollback
        }
    }

    /// An ICE candidate (RFC 8839), as browsers name its parts.
    public struct Candidate: Hashable, Codable, Sendable {
        /// The candidate, at most `Limits.candidateBytes`; empty after the last one.
        public let candidate: String
        /// The part of the description that it belongs to.
        public let sdpMid: String?
        /// The same by its index.
        public let sdpMLineIndex: Int?
        /// Which start of ICE it belongs to.
        public let usernameFragment: String?

        /// Makes the value.
        public init(
            candidate: String, sdpMid: String? = nil, sdpMLineIndex: Int? = nil, usernameFragment: String? = nil
        ) {
            (self.candidate, self.sdpMid, self.sdpMLineIndex) = (candidate, sdpMid, sdpMLineIndex)
            self.usernameFragment = usernameFragment
        }
    }

    /// What a device has switched on.
    public struct Media: Hashable, Codable, Sendable {
        /// The microphone.
        public let microphone: Bool
        /// The camera.
        public let camera: Bool
        /// A shared screen.
        public let screen: Bool

        /// Makes the value.
        public init(microphone: Bool, camera: Bool, screen: Bool) {
            (self.microphone, self.camera, self.screen) = (microphone, camera, screen)
        }
    }
}

extension CallSignal: Codable {
    private enum CodingKeys: String, CodingKey {
        case description
        case candidate
        case media
    }

    /// Reads an object with exactly one of the members.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        guard fields.allKeys.count == 1, let key = fields.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a signal has exactly one member"))
        }
        self =
            switch key {
            case .description: .description(try fields.decode(Description.self, forKey: key))
            case .candidate: .candidate(try fields.decode(Candidate.self, forKey: key))
            case .media: .media(try fields.decode(Media.self, forKey: key))
            }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .description(let value): try fields.encode(value, forKey: .description)
        case .candidate(let value): try fields.encode(value, forKey: .candidate)
        case .media(let value): try fields.encode(value, forKey: .media)
        }
    }

    /// Whether it has at most as many bytes as it may.
    public var isWithinLimits: Bool {
        switch self {
        case .description(let description): description.sdp.utf8.count <= Limits.descriptionBytes
        case .candidate(let candidate):
            [candidate.candidate, candidate.sdpMid ?? "", candidate.usernameFragment ?? ""]
                .allSatisfy { $0.utf8.count <= Limits.candidateBytes }
        case .media: true
        }
    }
}

extension ClientFrame {
    /// A device takes part in a call.
    public struct JoinCall: Hashable, Sendable {
        /// The call's number.
        public let call: Int
        /// The conversation. `nil` from a consumer.
        public let conversation: ConversationID?
        /// The device.
        public let device: DeviceID
        /// Whether the page has just been loaded, so that nothing of an earlier connection is left.
        public let isFresh: Bool

        /// Makes the value.
        public init(call: Int, in conversation: ConversationID?, device: DeviceID, isFresh: Bool) {
            (self.call, self.conversation, self.device, self.isFresh) = (call, conversation, device, isFresh)
        }
    }

    /// A signal of a device of a call.
    public struct SignalCall: Hashable, Sendable {
        /// The call's number.
        public let call: Int
        /// The conversation. `nil` from a consumer.
        public let conversation: ConversationID?
        /// What the other device is told.
        public let signal: CallSignal

        /// Makes the value.
        public init(call: Int, in conversation: ConversationID?, _ signal: CallSignal) {
            (self.call, self.conversation, self.signal) = (call, conversation, signal)
        }
    }
}

/// How a call stands for one of its devices.
public struct CallStatus: Hashable, Codable, Sendable {
    /// The call's number.
    public let id: Int
    /// The conversation. `nil` to a consumer.
    public let conversation: ConversationID?
    /// What the device does now.
    public let state: State
    /// Whether the device gives way where both make an offer at once.
    public let polite: Bool
    /// The servers that help to connect.
    public let ice: [RelayServer]
    /// `true` if media may only go over a relay; else `nil`.
    public let relayOnly: Bool?

    /// Makes the value; `relayOnly: false` is sent as `nil`.
    public init(
        id: Int, in conversation: ConversationID?, state: State, polite: Bool, ice: [RelayServer], relayOnly: Bool
    ) {
        (self.id, self.conversation, self.state, self.polite, self.ice) = (id, conversation, state, polite, ice)
        self.relayOnly = relayOnly ? true : nil
    }

    /// What a device is to do.
    public enum State: String, Hashable, Codable, Sendable, CaseIterable {
        /// Both devices are there, and one of them begins again: make a new connection.
        case begin
        /// A socket was replaced: signals may be lost, so send what is pending again.
        case resync
        /// The other device is gone; it may come back.
        case gone
        /// The other device is not there yet.
        case waiting
    }
}

/// A signal of the other device of a call.
public struct CallSignalled: Hashable, Codable, Sendable {
    /// The call's number.
    public let call: Int
    /// The conversation. `nil` to a consumer.
    public let conversation: ConversationID?
    /// What it says.
    public let signal: CallSignal

    /// Makes the value.
    public init(_ signal: CallSignal, of call: Int, in conversation: ConversationID?) {
        (self.signal, self.call, self.conversation) = (signal, call, conversation)
    }
}
