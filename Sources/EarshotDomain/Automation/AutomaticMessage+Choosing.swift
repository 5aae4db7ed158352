public import EarshotModel

extension ContactCentreSettings {
    /// The message for this occasion: the most specific one that matches, where skill counts before language. `nil`:
    /// none is sent.
    public func automatic(_ occasion: AutomaticMessage.Occasion, skill: SkillID?, language: String?)
        -> AutomaticMessage?
    {
        let fitting = automatic.filter { message in
            message.on == occasion && (message.skill == nil || message.skill == skill)
                && (message.language == nil || message.speaks(language))
        }
        let best = fitting.max { $0.particularity < $1.particularity }
        return best?.isOn == true ? best : nil
    }
}

extension AutomaticMessage {
    fileprivate var particularity: Int { (skill == nil ? 0 : 2) + (language == nil ? 0 : 1) }

    /// `de` speaks `de-AT`.
    fileprivate func speaks(_ tag: String?) -> Bool {
        guard let tag = tag?.lowercased(), let language = language?.lowercased() else { return false }
        return tag == language || tag.hasPrefix(language + "-")
    }

    /// What a text may contain in braces.
    public enum Placeholder: String, Hashable, Sendable, CaseIterable {
        /// When the consumer should have an answer.
        case expectedResponseTime
        /// The position in the queue.
        case queuePosition
        /// The name of the agent.
        case agentNickname
        /// The name of the skill.
        case skill
        /// The name of the brand.
        case brand
        /// The name of the consumer.
        case consumer
        /// The time of the callback.
        case time
    }

    /// The text with these values. Where a value is missing: `without`, or else the text without the sentences that
    /// need it.
    /// - Returns: `nil` only where no sentence is left.
    public func words(_ values: [Placeholder: String]) -> String? {
        if let whole = Self.filled(text, values) { return whole }
        if let without, let other = Self.filled(without, values) { return other }
        let kept = Self.sentences(of: text).compactMap { Self.filled($0, values) }.joined()
        return kept.contains { !$0.isWhitespace } ? kept.trimmed : nil
    }

    /// `nil` where a placeholder has no value. Braces around other words stay as they are.
    private static func filled(_ text: String, _ values: [Placeholder: String]) -> String? {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = rest[rest.index(after: open)..<close]
            if let placeholder = Placeholder(rawValue: String(name)) {
                guard let value = values[placeholder] else { return nil }
                result += rest[..<open] + value
            } else {
                result += rest[...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// Cuts after `.`, `!`, `?` before a space. Each part keeps its space, so that together they are the text.
    private static func sentences(of text: String) -> [String] {
        var sentences = [""]
        var (hasEnded, isSpaced) = (false, false)
        for character in text {
            if isSpaced, !character.isWhitespace {
                sentences.append("")
                (hasEnded, isSpaced) = (false, false)
            }
            sentences[sentences.count - 1].append(character)
            isSpaced = character.isWhitespace && hasEnded
            if !character.isWhitespace { hasEnded = ".!?".contains(character) }
        }
        return sentences
    }
}

extension String {
    fileprivate var trimmed: String {
        let end = lastIndex { !$0.isWhitespace }
        return String(drop { $0.isWhitespace }.prefix(upTo: end.map { index(after: $0) } ?? startIndex))
    }
}
