import EarshotModel

/// The limits of contact-centre settings.
enum ContactCentreLimits {
    static let skills = 200
    static let people = 5_000
    static let hours = 100
    static let shifts = 100
    static let holidays = 400
    static let rules = 500
    static let conditions = 20
    static let automatic = 500
    static let canned = 1_000
    static let dispositions = 200
    static let tags = 200
    static let attributes = 100
    static let awayReasons = 20
    static let offerSeconds = 5...300
    /// Ten seconds to thirty days.
    static let responseSeconds = 10...2_592_000
    /// A minute to a year.
    static let autoCloseSeconds = 60...31_536_000
    static let velocity = 1...1_000
    static let capacity = 0...50
    static let listenSpeed = 50...300
    static let silenceSeconds = 15...86_400
    static let waitSeconds = 15...604_800
    static let nameScalars = 1...80
}

/// Checks that several fields share. Every error text begins with the path of the field, which the refusal also has
/// apart, for programs.
enum Check {
    /// A refusal of a field.
    /// - Parameter owner: the name that people know what has the field by.
    static func refusal(
        _ code: Rejection.Code, of field: String, owner: String? = nil, _ text: String, limit: Int? = nil
    ) -> Rejection {
        Rejection(code, "\(field)\(owner.map { " (\($0))" } ?? ""): \(text)", at: field, limit: limit)
    }

    static func range(_ value: Int?, _ range: ClosedRange<Int>, _ field: String) throws(Rejection) {
        guard let value, !range.contains(value) else { return }
        throw refusal(
            .outOfRange, of: field, "it is \(range.lowerBound) to \(range.upperBound), not \(value).",
            limit: value < range.lowerBound ? range.lowerBound : range.upperBound)
    }

    static func count(_ count: Int, _ range: ClosedRange<Int>, _ field: String) throws(Rejection) {
        guard !range.contains(count) else { return }
        throw refusal(
            .outOfRange, of: field, "there are \(range.lowerBound) to \(range.upperBound), not \(count).",
            limit: count < range.lowerBound ? range.lowerBound : range.upperBound)
    }

    static func text(_ text: String, _ range: ClosedRange<Int>, _ field: String) throws(Rejection) {
        let count = text.unicodeScalars.count
        let isBlank = range.lowerBound > 0 && !text.unicodeScalars.contains { !$0.properties.isWhitespace }
        guard !range.contains(count) || isBlank else { return }
        throw refusal(
            .outOfRange, of: field, "it has \(range.lowerBound) to \(range.upperBound) characters.",
            limit: count > range.upperBound ? range.upperBound : range.lowerBound)
    }

    static func name(_ text: String, _ field: String) throws(Rejection) {
        try Check.text(text, ContactCentreLimits.nameScalars, field)
    }

    static func id(_ text: String, _ field: String) throws(Rejection) {
        guard IdentifierRules.isWellFormed(text) else {
            throw refusal(
                .badRequest, of: field, "it has 1 to 64 of A-Z, a-z, 0-9, _ and -.")
        }
    }

    static func unique(_ values: [String], _ field: String, _ what: String) throws(Rejection) {
        var seen: Set<String> = []
        for value in values where !seen.insert(value).inserted {
            throw refusal(
                .badRequest, of: field, "the \(what) \"\(value)\" is there twice.")
        }
    }

    static func skill(_ skill: SkillID?, in centre: ContactCentreSettings, _ field: String, owner: String? = nil)
        throws(Rejection)
    {
        guard let skill, centre.skill(skill) == nil else { return }
        throw refusal(
            .unknownSkill, of: field, "there is no skill \"\(skill)\".")
    }

    static func language(_ tag: String?, _ field: String) throws(Rejection) {
        guard let tag else { return }
        guard (2...35).contains(tag.utf8.count),
            tag.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isLetterOrDigit })
        else {
            throw refusal(
                .badRequest, of: field, "write the language like de or pt-BR.")
        }
    }

    /// Every `{name}` is one that has a meaning here.
    static func placeholders(_ text: String, _ known: Set<String>, _ field: String) throws(Rejection) {
        for match in text.matches(of: /\{([A-Za-z]+)\}/) where !known.contains(String(match.1)) {
            throw refusal(
                .badRequest, of: field,
                "there is no placeholder {\(match.1)}. There are: \(known.sorted().joined(separator: ", ")).")
        }
    }

    /// Whether the text is a day of the Gregorian calendar: `2024-02-29`.
    static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-") }),
            let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month), day >= 1
        else { return false }
        let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        return day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
