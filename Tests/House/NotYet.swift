/// Where a rule does not hold yet. A violation whose path begins with one of these is counted and printed, and does not
/// fail the test. Take a path out as soon as the rule holds there. Never add one: correct a new violation instead.
enum NotYet {
    static let words: [String] = []
    static let typeSize: [String] = []
    static let lineLength: [String] = []
    static let docComments: [String] = []
    static let webModuleState: [String] = []
    static let functionLength: [String] = []
    static let parameterCount: [String] = []
    /// The loader has 7 bytes left of its 1,536; every split that was tried exceeds them.
    static let webFunctionLength = ["Web/loader/main.ts"]
    static let folderSize: [String] = []
    static let functionReferences: [String] = []
    static let namedFiles: [String] = []

    /// Properties that can still be changed from outside their type, each by its name: another one fails the test, and
    /// so does one that is named here and is owned by its type now.
    static let ownedState = [
        "CachedFeed.position", "ConversationState.assignee", "ConversationState.last",
        "ConversationState.lastEventAt", "ConversationState.people", "ConversationState.routing",
        "ConversationState.sequence", "ConversationState.since", "ConversationState.status",
        "ConversationState.timestamps", "ConversationState.unanswered", "ErrorCollector.all",
        "FreeSpace.State.isShort", "FreeSpace.State.measured", "FreeSpace.State.room", "Marks.playbackPosition",
        "Marks.unplayed", "RecordingIngest.State.available", "RecordingIngest.State.hash",
        "RecordingIngest.State.isComplete", "RecordingIngest.State.isOver", "RecordingIngest.State.mp3",
        "RecordingIngest.State.mp3Bytes", "RecordingIngest.State.original", "RecordingIngest.State.position",
        "RecordingIngest.State.process", "RecordingInput.fragments", "RoutingState.attributes",
        "RoutingState.callback", "RoutingState.closedQuietly", "RoutingState.closedWhy", "RoutingState.csat",
        "RoutingState.disposition", "RoutingState.here", "RoutingState.isAnswered", "RoutingState.isUrgent",
        "RoutingState.mentioned", "RoutingState.nps", "RoutingState.offer", "RoutingState.previous",
        "RoutingState.queuedWhy", "RoutingState.refused", "RoutingState.reserved", "RoutingState.said",
        "RoutingState.skill", "RoutingState.skillBefore", "RoutingState.survey", "RoutingState.tags",
        "RoutingState.transfers", "RoutingState.wasResumedByBrand", "SocketTickets.State.entries",
        "SocketTickets.State.held", "SocketTickets.State.purged", "UploadRegistry.State.byAuthor",
        "UploadRegistry.State.held", "UploadRegistry.State.uploads", "WriteQueue.Waiting.arrivals",
        "WriteQueue.Waiting.bytes", "WriteQueue.Waiting.load", "WriteQueue.Waiting.sleep", "WriterState.marks",
    ]
}
