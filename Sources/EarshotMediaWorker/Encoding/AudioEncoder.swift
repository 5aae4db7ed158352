import CLibAV

/// Encodes mono samples to packets with libavcodec. It writes no tags, so none of the sender's metadata gets into the
/// output.
final class AudioEncoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let format: Format
    private var waiting: [Float] = []
    /// The number of samples encoded so far.
    private(set) var samples = 0

    /// `nil` if libav lacks the encoder.
    init?(_ format: Format) {
        guard let codec = avcodec_find_encoder_by_name(format.encoder), let context = avcodec_alloc_context3(codec)
        else { return nil }
        context.pointee.sample_rate = format.rate
        context.pointee.sample_fmt = format.format
        context.pointee.bit_rate = format.bitRate
        context.pointee.time_base = AVRational(num: 1, den: format.rate)
        context.pointee.thread_count = 1
        // The decoder's configuration goes into the file header, not into the packets.
        context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        av_channel_layout_default(&context.pointee.ch_layout, 1)
        for (name, value) in format.options where av_opt_set(context, name, value, AV_OPT_SEARCH_CHILDREN) < 0 {
            return nil
        }
        guard avcodec_open2(context, codec, nil) >= 0, let frame = av_frame_alloc(), let packet = av_packet_alloc()
        else { return nil }
        self.context = context
        self.frame = frame
        self.packet = packet
        self.format = format
    }

    /// The number of samples in one packet.
    var samplesPerFrame: Int { Int(context.pointee.frame_size) }

    /// The number of samples of silence that the encoder adds at the start.
    var delay: Int { Int(context.pointee.initial_padding) }

    /// The decoder configuration for the file header.
    var configuration: [UInt8] {
        Array(UnsafeBufferPointer(start: context.pointee.extradata, count: Int(context.pointee.extradata_size)))
    }

    /// Encodes samples and passes complete packets to `take`.
    /// - Returns: `false` if the encoder failed.
    func encode(_ more: UnsafeBufferPointer<Float>, _ take: ([UInt8]) -> Void) -> Bool {
        waiting += more
        var used = 0
        defer { waiting.removeFirst(used) }
        while waiting.count - used >= samplesPerFrame {
            guard send(waiting[used..<used + samplesPerFrame]), receive(take) else { return false }
            used += samplesPerFrame
        }
        return true
    }

    /// Encodes the remaining samples and flushes the encoder.
    /// - Returns: `false` if the encoder failed.
    func finish(_ take: ([UInt8]) -> Void) -> Bool {
        if !waiting.isEmpty {
            guard send(waiting[...]), receive(take) else { return false }
        }
        waiting = []
        return avcodec_send_frame(context, nil) >= 0 && receive(take)
    }

    private func send(_ part: ArraySlice<Float>) -> Bool {
        av_frame_unref(frame)
        frame.pointee.nb_samples = Int32(part.count)
        frame.pointee.format = format.format.rawValue
        frame.pointee.sample_rate = format.rate
        frame.pointee.pts = Int64(samples)
        av_channel_layout_default(&frame.pointee.ch_layout, 1)
        guard av_frame_get_buffer(frame, 0) >= 0, let target = frame.pointee.extended_data[0] else { return false }
        part.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: target, count: $0.count).copyMemory(from: $0) }
        samples += part.count
        return avcodec_send_frame(context, frame) >= 0
    }

    private func receive(_ take: ([UInt8]) -> Void) -> Bool {
        while true {
            let status = avcodec_receive_packet(context, packet)
            if status == EARSHOT_AV_AGAIN || status == EARSHOT_AV_EOF { return true }
            guard status >= 0 else { return false }
            take(Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))))
            av_packet_unref(packet)
        }
    }
}

extension AudioEncoder {
    /// An encoder and its settings.
    struct Format {
        let encoder: String
        let rate: Int32
        let format: AVSampleFormat
        let bitRate: Int64
        var options: [(name: String, value: String)] = []

        /// MP3 for everyone who listens: 24 kHz, constant 32 kbit/s. Speech stays intelligible, and all frames have the
        /// same length, so a player can seek by bytes.
        static let mp3 = Format(encoder: "libmp3lame", rate: 24_000, format: AV_SAMPLE_FMT_FLTP, bitRate: 32_000)

        /// AAC for M4A files.
        static let aac = Format(encoder: "aac", rate: 24_000, format: AV_SAMPLE_FMT_FLTP, bitRate: 40_000)

        /// Opus as messengers send it: 48 kHz, 20 ms packets, tuned for speech.
        static func opus(_ bitRate: Int64) -> Format {
            Format(
                encoder: "libopus", rate: 48_000, format: AV_SAMPLE_FMT_FLT, bitRate: bitRate,
                options: [("application", "voip"), ("frame_duration", "20"), ("vbr", "on")])
        }
    }
}
