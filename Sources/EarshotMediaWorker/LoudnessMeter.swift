import CLoudness

/// Measures EBU R128's integrated loudness (libebur128) of the mono mix, as it sounds from two loudspeakers.
struct LoudnessMeter {
    private let state: UnsafeMutablePointer<ebur128_state>

    init?(rate: Int32) {
        guard let state = ebur128_init(1, UInt(rate), Int32(EBUR128_MODE_I.rawValue)) else { return nil }
        // Mono plays on both loudspeakers: it counts twice, so that it compares with stereo as it is heard.
        guard ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) == 0 else { return nil }
        self.state = state
    }

    func add(_ samples: UnsafeBufferPointer<Float>) {
        guard let first = samples.baseAddress else { return }
        ebur128_add_frames_float(state, first, samples.count)
    }

    /// The loudness in tenths of LUFS; `nil` for silence and for less than 0.4 s, which R128 cannot measure.
    var tenths: Int? {
        var loudness = -Double.infinity
        guard ebur128_loudness_global(state, &loudness) == 0, loudness.isFinite else { return nil }
        return Int((loudness * 10).rounded())
    }
}
