import EarshotModel

/// Hours, and what is said and noted.
extension ContactCentreSettings {
    func checkHours() throws(Rejection) {
        try Check.count(hours.count, 0...ContactCentreLimits.hours, "hours")
        try Check.unique(hours.map(\.id), "hours", "id")
        for (index, hours) in hours.enumerated() { try hours.check("hours[\(index)]") }
    }

    func checkAutomatic() throws(Rejection) {
        try Check.count(automatic.count, 0...ContactCentreLimits.automatic, "automatic")
        try Check.unique(automatic.map(\.id), "automatic", "id")
        for (index, message) in automatic.enumerated() {
            try Check.skill(message.skill, in: self, "automatic[\(index)].skill")
            try message.check("automatic[\(index)]")
        }
    }

    func checkCanned() throws(Rejection) {
        try Check.count(canned.count, 0...ContactCentreLimits.canned, "canned")
        try Check.unique(canned.map(\.id), "canned", "id")
        try Check.unique(
            canned.map { "\($0.shortcut) \($0.skill?.rawValue ?? "") \($0.language ?? "")" }, "canned",
            "shortcut for one skill and language")
        for (index, reply) in canned.enumerated() {
            try Check.skill(reply.skill, in: self, "canned[\(index)].skill")
            try reply.check("canned[\(index)]")
        }
    }

    func checkWrapUp() throws(Rejection) {
        try Check.count(wrapUp.dispositions.count, 0...ContactCentreLimits.dispositions, "wrapUp.dispositions")
        try Check.unique(wrapUp.dispositions.map(\.id), "wrapUp.dispositions", "id")
        for (index, one) in wrapUp.dispositions.enumerated() {
            try Check.id(one.id, "wrapUp.dispositions[\(index)].id")
            try Check.name(one.name, "wrapUp.dispositions[\(index)].name")
            try Check.skill(one.skill, in: self, "wrapUp.dispositions[\(index)].skill")
        }
        try Check.count(wrapUp.tags.count, 0...ContactCentreLimits.tags, "wrapUp.tags")
        try Check.unique(wrapUp.tags, "wrapUp.tags", "tag")
        for (index, tag) in wrapUp.tags.enumerated() {
            try Check.text(tag, 1...Limits.tagScalars, "wrapUp.tags[\(index)]")
        }
        try Check.count(wrapUp.attributes.count, 0...ContactCentreLimits.attributes, "wrapUp.attributes")
        try Check.unique(wrapUp.attributes.map(\.id), "wrapUp.attributes", "id")
        for (index, one) in wrapUp.attributes.enumerated() {
            try Check.text(one.id, 1...Limits.tagScalars, "wrapUp.attributes[\(index)].id")
            try Check.name(one.name, "wrapUp.attributes[\(index)].name")
        }
    }
}

extension Hours {
    fileprivate func check(_ at: String) throws(Rejection) {
        try Check.id(id, "\(at).id")
        try Check.name(name, "\(at).name")
        guard Zone.isKnown(zone) else {
            throw Check.refusal(
                .badRequest, of: "\(at).zone", "there is no time zone \"\(zone)\". Write it like Europe/Berlin.")
        }
        try Check.count(week.count, 0...ContactCentreLimits.shifts, "\(at).week")
        for (index, shift) in week.enumerated() {
            try Check.range(shift.day, 1...7, "\(at).week[\(index)].day")
            try Self.check(shift.from, shift.to, "\(at).week[\(index)]")
        }
        try Check.count(holidays.count, 0...ContactCentreLimits.holidays, "\(at).holidays")
        try Check.unique(holidays.map(\.date), "\(at).holidays", "date")
        for (index, holiday) in holidays.enumerated() { try Self.check(holiday, "\(at).holidays[\(index)]") }
    }

    private static func check(_ holiday: Holiday, _ at: String) throws(Rejection) {
        guard Check.isDate(holiday.date) else {
            throw Check.refusal(.badRequest, of: "\(at).date", "write the day like 2026-12-24.")
        }
        try Check.name(holiday.name, "\(at).name")
        try Check.count(holiday.open.count, 0...ContactCentreLimits.shifts, "\(at).open")
        for (index, span) in holiday.open.enumerated() { try check(span.from, span.to, "\(at).open[\(index)]") }
    }

    private static func check(_ from: Int, _ to: Int, _ at: String) throws(Rejection) {
        try Check.range(from, 0...1440, "\(at).from")
        try Check.range(to, 0...1440, "\(at).to")
        guard from < to else {
            throw Check.refusal(.badRequest, of: at, "it must end after it begins. Enter a shift over midnight as two.")
        }
    }
}

extension AutomaticMessage {
    private static let placeholders: Set = [
        "expectedResponseTime", "queuePosition", "agentNickname", "skill", "brand", "consumer", "time",
    ]

    fileprivate func check(_ at: String) throws(Rejection) {
        try Check.id(id, "\(at).id")
        try Check.language(language, "\(at).language")
        try Check.text(text, 1...Limits.webTextScalars, "\(at).text")
        try Check.placeholders(text, Self.placeholders, "\(at).text")
        if let without {
            try Check.text(without, 0...Limits.webTextScalars, "\(at).without")
            try Check.placeholders(without, Self.placeholders, "\(at).without")
        }
        guard on.isTimed else {
            guard afterSeconds == nil else {
                throw Check.refusal(.badRequest, of: "\(at).afterSeconds", "\(on) does not wait.")
            }
            return
        }
        guard let afterSeconds else {
            throw Check.refusal(.badRequest, of: "\(at).afterSeconds", "enter a delay.")
        }
        try Check.range(afterSeconds, ContactCentreLimits.waitSeconds, "\(at).afterSeconds")
    }
}

extension CannedReply {
    private static let placeholders: Set = ["agentNickname", "consumer", "brand"]

    fileprivate func check(_ at: String) throws(Rejection) {
        try Check.id(id, "\(at).id")
        guard (1...32).contains(shortcut.count), shortcut.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
            throw Check.refusal(.badRequest, of: "\(at).shortcut", "use 1 to 32 letters, digits and -.")
        }
        try Check.name(title, "\(at).title")
        try Check.language(language, "\(at).language")
        try Check.text(text, 1...Limits.webTextScalars, "\(at).text")
        try Check.placeholders(text, Self.placeholders, "\(at).text")
        if let clip { try Check.range(clip.durationMs, 1...Limits.playedMs.upperBound, "\(at).clip.ms") }
    }
}
