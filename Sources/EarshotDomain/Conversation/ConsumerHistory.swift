public import EarshotModel

extension AccountSettings.History {
    private static let dayMs: Int64 = 24 * 3600 * 1000

    /// When the events begin that a consumer sees of a conversation; `nil` for all of them.
    ///
    /// Where the brand does not show what was said before a conversation was closed, an open conversation begins when
    /// it was last opened, and a closed one with its end, so that its survey can be answered.
    public func begins(in state: ConversationState?, at now: Timestamp) -> Timestamp? {
        let byAge = days > 0 ? now.adding(milliseconds: -Int64(days) * Self.dayMs) : nil
        guard !closed, let state else { return byAge }
        let byStatus = state.status == .closed ? state.timestamps.closed : state.timestamps.resumed
        return [byAge, byStatus].compactMap(\.self).max()
    }
}
