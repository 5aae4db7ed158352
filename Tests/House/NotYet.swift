/// Where a rule does not hold yet. A violation whose path begins with one of these is counted and printed, and does not fail
/// the test. Take a path out as soon as the rule holds there. Never add one: correct a new violation instead.
enum NotYet {
    static let words: [String] = []
    static let typeSize: [String] = []
    static let lineLength: [String] = []
    static let docComments: [String] = []
    static let webModuleState: [String] = []
    static let functionLength: [String] = []
    static let webFunctionLength: [String] = []
    static let folderSize: [String] = []
    static let functionReferences: [String] = []
    static let namedFiles: [String] = []

    /// The rule of owned state holds in these folders already (in all others it is counted only).
    static let ownedStateHoldsIn: [String] = []
}
