public import EarshotModel

extension ContactCentreSettings {
    /// Checks the section that was changed, and every reference to it in the other sections.
    /// - Parameter people: the ids of the brand's people.
    /// - Throws: `out_of_range` with the bound that was crossed, `unknown_skill`, `unknown_agent` or `bad_request`; the
    /// text names the field.
    public func check(_ section: Section, people known: Set<AgentID>) throws(Rejection) {
        switch section {
        case .skills:
            try checkSkills()
            try checkMentions()
        case .people: try checkPeople(known)
        case .hours:
            try checkHours()
            for (index, skill) in skills.enumerated() { try check(hoursOf: skill, "skills[\(index)].hours") }
        case .rules: try checkRules()
        case .capacity: try capacity.check()
        case .silence: try silence.check()
        case .automatic: try checkAutomatic()
        case .canned: try checkCanned()
        case .wrapUp: try checkWrapUp()
        case .survey: try survey.check()
        }
    }

    private func checkSkills() throws(Rejection) {
        try Check.count(skills.count, 1...ContactCentreLimits.skills, "skills")
        try Check.unique(skills.map(\.id.rawValue), "skills", "id")
        guard skills.count(where: \.isDefault) == 1 else {
            throw Check.refusal(.badRequest, of: "skills", "exactly one skill must be the default.")
        }
        for (index, skill) in skills.enumerated() { try check(skill, "skills[\(index)]") }
    }

    private func check(_ skill: Skill, _ at: String) throws(Rejection) {
        try Check.name(skill.name, "\(at).name")
        if let fallback = skill.fallback {
            try Check.skill(fallback, in: self, "\(at).fallback")
            guard fallback != skill.id else {
                throw Check.refusal(.badRequest, of: "\(at).fallback", "a skill can’t be its own fallback.")
            }
        }
        try Check.range(skill.offerSeconds, ContactCentreLimits.offerSeconds, "\(at).offerSeconds")
        try Check.range(skill.sla.usual, ContactCentreLimits.responseSeconds, "\(at).sla.usual")
        try Check.range(skill.sla.urgent, ContactCentreLimits.responseSeconds, "\(at).sla.urgent")
        try Check.range(skill.sla.first, ContactCentreLimits.responseSeconds, "\(at).sla.first")
        try check(hoursOf: skill, "\(at).hours")
        try Check.range(skill.autoCloseSeconds, ContactCentreLimits.autoCloseSeconds, "\(at).autoCloseSeconds")
        try Check.range(skill.velocity, ContactCentreLimits.velocity, "\(at).velocity")
    }

    private func check(hoursOf skill: Skill, _ at: String) throws(Rejection) {
        guard let id = skill.hours, !hours.contains(where: { $0.id == id }) else { return }
        throw Check.refusal(
            .badRequest, of: at, "there are no hours \"\(id)\". Take them away from the skill \(skill.name) first.")
    }

    /// No other section may refer to a skill that was deleted.
    private func checkMentions() throws(Rejection) {
        for (index, rule) in rules.enumerated() {
            try Check.skill(rule.skill, in: self, "rules[\(index)].skill", owner: rule.name)
        }
        for (index, seat) in people.enumerated() {
            for skill in seat.skills { try Check.skill(skill, in: self, "people[\(index)].skills") }
        }
        for (index, message) in automatic.enumerated() {
            try Check.skill(message.skill, in: self, "automatic[\(index)].skill")
        }
        for (index, reply) in canned.enumerated() {
            try Check.skill(reply.skill, in: self, "canned[\(index)].skill", owner: reply.title)
        }
        for (index, one) in wrapUp.dispositions.enumerated() {
            try Check.skill(one.skill, in: self, "wrapUp.dispositions[\(index)].skill", owner: one.name)
        }
    }

    private func checkPeople(_ known: Set<AgentID>) throws(Rejection) {
        try Check.count(people.count, 0...ContactCentreLimits.people, "people")
        try Check.unique(people.map(\.agent.rawValue), "people", "agent")
        for (index, seat) in people.enumerated() {
            guard known.contains(seat.agent) else {
                throw Check.refusal(.unknownAgent, of: "people[\(index)].agent", "there is no person with this id.")
            }
            for skill in seat.skills { try Check.skill(skill, in: self, "people[\(index)].skills") }
            try Check.unique(seat.skills.map(\.rawValue), "people[\(index)].skills", "skill")
            try Check.range(seat.capacity, ContactCentreLimits.capacity, "people[\(index)].capacity")
            try Check.range(seat.listenSpeed, ContactCentreLimits.listenSpeed, "people[\(index)].listenSpeed")
        }
    }

    private func checkRules() throws(Rejection) {
        try Check.count(rules.count, 0...ContactCentreLimits.rules, "rules")
        try Check.unique(rules.map(\.id), "rules", "id")
        for (index, rule) in rules.enumerated() {
            try Check.id(rule.id, "rules[\(index)].id")
            try Check.name(rule.name, "rules[\(index)].name")
            try Check.skill(rule.skill, in: self, "rules[\(index)].skill")
            try Check.count(rule.conditions.count, 0...ContactCentreLimits.conditions, "rules[\(index)].conditions")
            for (place, condition) in rule.conditions.enumerated() {
                try condition.check("rules[\(index)].conditions[\(place)]")
            }
        }
    }
}

extension RoutingRule.Condition {
    private static let known: Set = ["page", "language", "channel", "app"]

    fileprivate func check(_ at: String) throws(Rejection) {
        let isAttribute = of.hasPrefix("attribute.") && of.count > "attribute.".count
        guard Self.known.contains(of) || isAttribute, of.isWithin(scalars: 80) else {
            throw Check.refusal(
                .badRequest, of: "\(at).of", "it is page, language, channel, app, or attribute. and a name.")
        }
        try Check.text(value, 0...Limits.attributeScalars, "\(at).value")
        guard test == .atLeast || test == .atMost, Double(value)?.isFinite != true else { return }
        throw Check.refusal(.badRequest, of: "\(at).value", "enter a number. This test compares numbers.")
    }
}

extension Capacity {
    fileprivate func check() throws(Rejection) {
        try Check.range(slack, 0...1000, "capacity.slack")
        try Check.range(active, 1...5000, "capacity.active")
        try Check.range(idle, 0...active, "capacity.idle")
        try Check.range(idleAfterSeconds, 0...86_400, "capacity.idleAfterSeconds")
        try Check.range(backlogAfterSeconds, 60...604_800, "capacity.backlogAfterSeconds")
        try Check.range(backlogPauseSeconds, 0...600, "capacity.backlogPauseSeconds")
        try Check.range(warmUpSeconds, 1...300, "capacity.warmUpSeconds")
        try Check.range(callbackAtLeastSeconds, 0...604_800, "capacity.callbackAtLeastSeconds")
        try Check.range(callbackLeadSeconds, 0...86_400, "capacity.callbackLeadSeconds")
        try Check.range(unplayedSecondsPerSlot, 10...3600, "capacity.unplayedSecondsPerSlot")
    }
}

extension Silence {
    fileprivate func check() throws(Rejection) {
        try Check.range(onlineSeconds, ContactCentreLimits.silenceSeconds, "silence.onlineSeconds")
        try Check.range(awaySeconds, ContactCentreLimits.silenceSeconds, "silence.awaySeconds")
        try Check.range(offlineSeconds, ContactCentreLimits.silenceSeconds, "silence.offlineSeconds")
        try Check.range(transferSeconds, 30...604_800, "silence.transferSeconds")
        try Check.count(awayReasons.count, 0...ContactCentreLimits.awayReasons, "silence.awayReasons")
        try Check.unique(awayReasons, "silence.awayReasons", "reason")
        for (index, reason) in awayReasons.enumerated() {
            try Check.text(reason, 1...Limits.tagScalars, "silence.awayReasons[\(index)]")
        }
    }
}

extension Survey {
    fileprivate func check() throws(Rejection) {
        try Check.text(question, 1...200, "survey.question")
        try Check.range(openSeconds, 60...2_592_000, "survey.openSeconds")
        guard isOn, !csat, !nps, !words else { return }
        throw Check.refusal(.badRequest, of: "survey", "include at least one question, or turn the survey off.")
    }
}
