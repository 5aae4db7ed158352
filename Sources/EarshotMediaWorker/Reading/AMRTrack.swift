import CLibAV
import EarshotAudioFormats
import EarshotWorkerProtocol

/// Decodes the packets of AMR frame by frame. Phones send comfort noise and frames without data during pauses; libav's
/// decoders support neither, so each of them becomes 20 ms of silence here.
struct AMRTrack {
    private let format: AMRFormat

    /// `nil` for any other codec.
    init?(_ codec: AudioCodec) {
        switch codec {
        case .amr: format = .narrow
        case .amrWideband: format = .wide
        default: return nil
        }
    }

    /// Decodes all frames of a packet and passes each one to `take`.
    func decode(
        _ packet: UnsafeMutablePointer<AVPacket>, _ decoder: inout Decoder,
        _ take: (UnsafeMutablePointer<AVFrame>) throws(WorkerFailure) -> Void
    ) throws(WorkerFailure) {
        guard let part = av_packet_clone(packet), let data = packet.pointee.data else { throw .broken }
        var freed: UnsafeMutablePointer<AVPacket>? = part
        defer { av_packet_free(&freed) }
        let end = Int(packet.pointee.size)
        var at = 0
        while at < end {
            guard let frame = format.frame(data[at]), frame.length <= end - at else { return decoder.countBroken() }
            if frame.isSpeech {
                part.pointee.data = data + at
                part.pointee.size = Int32(frame.length)
                try decoder.decode(part, take)
            } else {
                try silence(like: decoder, take)
            }
            at += frame.length
        }
    }

    private func silence(like decoder: Decoder, _ take: (UnsafeMutablePointer<AVFrame>) throws(WorkerFailure) -> Void)
        throws(WorkerFailure)
    {
        guard let frame = av_frame_alloc() else { throw .broken }
        var freed: UnsafeMutablePointer<AVFrame>? = frame
        defer { av_frame_free(&freed) }
        frame.pointee.nb_samples = format.frameSamples
        frame.pointee.format = decoder.format.rawValue
        frame.pointee.sample_rate = format.rate
        av_channel_layout_default(&frame.pointee.ch_layout, 1)
        guard av_frame_get_buffer(frame, 0) >= 0 else { throw .broken }
        av_samples_set_silence(frame.pointee.extended_data, 0, format.frameSamples, 1, decoder.format)
        try take(frame)
    }
}
