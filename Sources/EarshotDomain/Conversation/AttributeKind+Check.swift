import EarshotModel

extension WrapUp.AttributeKind.Kind {
    /// Whether the text is a value of this kind, in the form that the workspace's fields give it.
    func accepts(_ value: String) -> Bool {
        switch self {
        case .text: true
        case .number: value.wholeMatch(of: /-?[0-9]{1,30}(\.[0-9]{1,30})?/) != nil
        case .yesNo: value == "yes" || value == "no"
        case .date: Check.isDate(value)
        }
    }

    /// What a value of this kind looks like, for the person who gave another one.
    var expectation: String {
        switch self {
        case .text: "write any text."
        case .number: "write a number, such as 12 or 3.5."
        case .yesNo: "write yes or no."
        case .date: "write a date, such as 2026-11-23."
        }
    }
}
