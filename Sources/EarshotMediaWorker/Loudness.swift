import CLoudness

/// EBU R128's integrated loudness (libebur128) of the mono that others hear, from both loudspeakers.
struct Loudness {
    private let state: UnsafeMutablePointer<ebur128_state>

    init?(rate: Int32) {
        guard let state = ebur128_init(1, UInt(rate), Int32(EBUR128_MODE_I.rawValue)) else { return nil }
        // Mono plays on two sides: counted twice, so that it is compared with stereo as it is played.
        guard ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) == 0 else { return nil }
        self.state = state
    }

    func add(_ samples: UnsafeBufferPointer<Float>) {
        guard let first = samples.baseAddress else { return }
        ebur128_add_frames_float(state, first, samples.count)
    }

    /// In tenths of LUFS; `nil` for silence, and below 0.4 s, where R128 has nothing to measure.
    var tenths: Int? {
        var loudness = -Double.infinity
        guard ebur128_loudness_global(state, &loudness) == 0, loudness.isFinite else { return nil }
        return Int((loudness * 10).rounded())
    }
}
