public import EarshotModel

extension AccountSettings {
    /// The settings that apply to a person of this role on this channel.
    public func view(for role: Role, on channel: MessagingChannel) -> SettingsView {
        let why = reason(role, channel)
        return SettingsView(
            version: version, audio: .init(isOn: why == nil, why: why, limitMs: limitMs(role), keep: audio.keep),
            calls: channel.hasCalls && (calls.voice || calls.video)
                ? .init(voice: calls.voice, video: calls.video, requests: calls.requests) : nil)
    }

    private func limitMs(_ role: Role) -> Int {
        switch role {
        case .consumer: audio.maxSeconds * 1000
        case .agent, .manager, .administrator: Limits.audioDurationMs.upperBound
        }
    }

    private func reason(_ role: Role, _ channel: MessagingChannel) -> SettingsView.Reason? {
        if !audio.enabled { return .brand }
        if !isOn(role) { return .role }
        return audio.channels[channel.rawValue] == false ? .channel : nil
    }

    private func isOn(_ role: Role) -> Bool {
        switch role {
        case .consumer: audio.consumers
        case .agent: audio.agents
        case .manager, .administrator: audio.managers
        }
    }
}

extension SettingsView {
    /// Checks that voice messages are on. - Throws: `audio_off`; the text says for whom they are off.
    public func checkAudio() throws(Rejection) {
        guard let why = audio.why else { return }
        switch why {
        case .brand: throw Rejection(.audioOff, "Voice messages are switched off here.")
        case .role: throw Rejection(.audioOff, "Voice messages are switched off for your role.")
        case .channel: throw Rejection(.audioOff, "Voice messages are switched off on this channel.")
        }
    }
}
