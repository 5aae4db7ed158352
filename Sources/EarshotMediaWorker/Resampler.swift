import CLibAV

/// Converts decoded audio of any rate, format and number of channels to mono at one rate.
struct Resampler {
    private let source: Source
    private let context: OpaquePointer
    private var samples: [Float] = []
    private var others: [Float] = []
    private var stereo: StereoMix?
    /// Surround sound is folded into two channels as it is. Scaled down until nothing can clip, a voice in the centre
    /// would be 10 dB quieter.
    private static let surroundGain = 2.4

    /// The format of a decoder's frames.
    struct Source: Equatable {
        let rate: Int32
        let format: AVSampleFormat
        let channels: Int32
    }

    /// `nil` if libswresample cannot convert from `source`.
    init?(from source: Source, to rate: Int32) {
        var from = AVChannelLayout()
        var to = AVChannelLayout()
        av_channel_layout_default(&from, source.channels)
        av_channel_layout_default(&to, min(source.channels, 2))
        var made: OpaquePointer?
        guard swr_alloc_set_opts2(&made, &to, AV_SAMPLE_FMT_FLTP, rate, &from, source.format, source.rate, 0, nil) >= 0,
            let made
        else { return nil }
        av_opt_set_double(UnsafeMutableRawPointer(made), "rematrix_maxval", Self.surroundGain, 0)
        guard swr_init(made) >= 0 else { return nil }
        context = made
        self.source = source
        stereo = source.channels > 1 ? StereoMix() : nil
    }

    /// Whether a frame has the format of this resampler's source.
    func fits(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool { source == Source(frame) }

    /// Converts a frame and passes the samples to `take`; they are valid only during the call. `nil` flushes the rest
    /// at the end.
    /// - Returns: `false` if the conversion failed.
    mutating func convert(_ frame: UnsafeMutablePointer<AVFrame>?, _ take: (UnsafeBufferPointer<Float>) -> Void) -> Bool
    {
        let count = frame?.pointee.nb_samples ?? 0
        let room = Int(swr_get_out_samples(context, count))
        guard room >= 0 else { return false }
        if samples.count < room {
            samples = [Float](repeating: 0, count: room)
            if stereo != nil { others = samples }
        }
        let context = context
        var mix = stereo
        defer { stereo = mix }
        return samples.withUnsafeMutableBytes { one in
            others.withUnsafeMutableBytes { other in
                var planes = [one, other].map { $0.baseAddress?.assumingMemoryBound(to: UInt8.self) }
                let made = Int(Self.convert(context, &planes, Int32(room), frame))
                guard made >= 0 else { return false }
                func finish(_ mono: UnsafeMutableBufferPointer<Float>) {
                    Self.clamp(mono)
                    take(UnsafeBufferPointer(mono))
                }
                let first = UnsafeMutableBufferPointer(rebasing: one.bindMemory(to: Float.self)[..<made])
                guard mix != nil else {
                    finish(first)
                    return true
                }
                let second = UnsafeMutableBufferPointer(rebasing: other.bindMemory(to: Float.self)[..<made])
                mix?.mix(UnsafeBufferPointer(first), UnsafeBufferPointer(second), finish)
                return true
            }
        }
    }

    /// Replaces infinities and NaN, to which damaged AAC can decode: LAME aborts the process on them.
    private static func clamp(_ samples: UnsafeMutableBufferPointer<Float>) {
        for index in samples.indices {
            let sample = samples[index]
            samples[index] = sample.isNaN ? 0 : min(max(sample, -1), 1)
        }
    }

    private static func convert(
        _ context: OpaquePointer, _ target: inout [UnsafeMutablePointer<UInt8>?], _ room: Int32,
        _ frame: UnsafeMutablePointer<AVFrame>?
    ) -> Int32 {
        guard let frame else { return swr_convert(context, &target, room, nil, 0) }
        let planes = UnsafeMutableRawPointer(frame.pointee.extended_data).assumingMemoryBound(
            to: UnsafePointer<UInt8>?.self)
        return swr_convert(context, &target, room, planes, frame.pointee.nb_samples)
    }
}

extension Resampler.Source {
    init(_ frame: UnsafeMutablePointer<AVFrame>) {
        self.init(
            rate: frame.pointee.sample_rate, format: AVSampleFormat(frame.pointee.format),
            channels: frame.pointee.ch_layout.nb_channels)
    }
}
