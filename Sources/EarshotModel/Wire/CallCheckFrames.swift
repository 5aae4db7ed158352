/// What a device of a consumer or of one of the brand's people can do for a call, found out before anyone is invited.
public struct CallReadiness: Hashable, Codable, Sendable {
    /// What makes every call impossible. `nil`: nothing that is known.
    public let problem: Problem?
    /// Whether there is a camera that is not blocked.
    public let camera: Bool
    /// Whether the device has an address at which it may be reached directly.
    public let host: Bool
    /// Whether a server told the device its public address.
    public let reflexive: Bool
    /// Whether a relay gave the device an address.
    public let relay: Bool
    /// What the browser expects of the network towards the device, in kbit/s. `nil` where it does not say.
    public let down: Int?

    /// Makes the value.
    public init(problem: Problem?, camera: Bool, host: Bool, reflexive: Bool, relay: Bool, down: Int?) {
        (self.problem, self.camera, self.down) = (problem, camera, down)
        (self.host, self.reflexive, self.relay) = (host, reflexive, relay)
    }

    /// What makes every call impossible on a device.
    public enum Problem: String, Hashable, Codable, Sendable, CaseIterable {
        /// The page did not come by https.
        case insecure
        /// The browser cannot make calls.
        case unsupported
        /// The person, the browser or the page around does not allow the microphone.
        case denied
        /// There is no microphone.
        case noDevice
    }

    /// Whether every number is within its limits.
    public var isWithinLimits: Bool { down.map(Limits.callDownKbits.contains) ?? true }
}

/// Asks a device whether it can take part in a call.
public struct CallCheck: Hashable, Codable, Sendable {
    /// The conversation. `nil` to a consumer.
    public let conversation: ConversationID?
    /// The servers that help to connect.
    public let ice: [RelayServer]
    /// `true` if media may only go over a relay; else `nil`.
    public let relayOnly: Bool?

    /// Makes the value; `relayOnly: false` is sent as `nil`.
    public init(in conversation: ConversationID?, ice: [RelayServer], relayOnly: Bool) {
        (self.conversation, self.ice, self.relayOnly) = (conversation, ice, relayOnly ? true : nil)
    }
}

/// What a device of the consumer answered.
public struct CallChecked: Hashable, Codable, Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// What the device can do.
    public let readiness: CallReadiness

    /// Makes the value.
    public init(_ readiness: CallReadiness, in conversation: ConversationID) {
        (self.readiness, self.conversation) = (readiness, conversation)
    }
}
