import CLibAV
import EarshotAudioFormats
import EarshotWorkerProtocol

/// Cuts off what the encoder of an MP3 added at its end, as LAME's tag tells. libav cuts off the start. It cuts off the
/// end only where it knows the sample rate before the first packet, and it does not learn that from a stream.
///
/// It holds back as many samples as it may have to cut off. It cuts them off only if the stream has exactly the samples
/// that the tag counts: a recording that was cut or joined does not end in padding.
struct MP3EndTrim {
    private let tag: LAMETag
    private var held: [UnsafeMutablePointer<AVFrame>] = []
    private var heldSamples = 0
    private var samples = 0

    /// `nil` if the recording has no such tag.
    init?(_ input: RecordingInput, _ container: AudioContainer) {
        guard container == .mp3, let tag = LAMETag(input.bytes) else { return nil }
        self.tag = tag
    }

    /// How many samples per channel of the packets, at `rate`, are none of the recording: those at both ends.
    var trimmed: (samples: Int, rate: Int) { (tag.leading + (isComplete ? tag.trailing : 0), tag.rate) }

    /// Passes on the frames that cannot be the end.
    mutating func add(
        _ frame: UnsafeMutablePointer<AVFrame>, _ take: (UnsafeMutablePointer<AVFrame>) throws(WorkerFailure) -> Void
    ) throws(WorkerFailure) {
        guard let copy = av_frame_clone(frame) else { throw .broken }
        held.append(copy)
        heldSamples += Self.samples(of: copy)
        samples += Self.samples(of: copy)
        while let first = held.first, heldSamples - Self.samples(of: first) >= tag.trailing {
            try takeFirst(take)
        }
    }

    /// Passes on the rest without the padding.
    mutating func finish(_ take: (UnsafeMutablePointer<AVFrame>) throws(WorkerFailure) -> Void) throws(WorkerFailure) {
        var excess = isComplete ? tag.trailing : 0
        for frame in held.reversed() {
            let cut = min(excess, Self.samples(of: frame))
            frame.pointee.nb_samples -= Int32(cut)
            excess -= cut
        }
        while !held.isEmpty { try takeFirst(take) }
    }

    private var isComplete: Bool { samples == tag.samples + tag.trailing }

    private mutating func takeFirst(_ take: (UnsafeMutablePointer<AVFrame>) throws(WorkerFailure) -> Void)
        throws(WorkerFailure)
    {
        var first: UnsafeMutablePointer<AVFrame>? = held.removeFirst()
        defer { av_frame_free(&first) }
        guard let first else { return }
        heldSamples -= Self.samples(of: first)
        if first.pointee.nb_samples > 0 { try take(first) }
    }

    private static func samples(of frame: UnsafeMutablePointer<AVFrame>) -> Int { Int(frame.pointee.nb_samples) }
}
