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

    /// The rule of owned state is enforced in these folders (in all others its violations are counted only).
    /// It has to hold in EarshotGateway, EarshotDomain/Routing and EarshotCore/Routing.
    static let ownedStateHoldsIn = [
        "Sources/EarshotAudioFormats/", "Sources/EarshotCore/Routing/", "Sources/EarshotDomain/Routing/",
        "Sources/EarshotGateway/", "Sources/EarshotModel/", "Sources/EarshotTestKit/",
        "Sources/EarshotWorkerProtocol/", "Sources/earshot/",
    ]
}
