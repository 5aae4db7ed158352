import CLibAV
import EarshotWorkerProtocol

/// Decodes one track with libavcodec, on one thread.
///
/// A packet that does not decode is only counted: real recordings have a broken one now and then. With too many of them
/// the recording is damaged.
struct Decoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    private var packets = 0
    private var errors = 0
    private static let errorsAllowed = 2
    private static let packetsPerErrorAllowed = 50

    init(_ stream: UnsafeMutablePointer<AVStream>, named name: String) throws(WorkerFailure) {
        guard let codec = avcodec_find_decoder_by_name(name), let context = avcodec_alloc_context3(codec),
            let frame = av_frame_alloc()
        else { throw .broken }
        let copied = avcodec_parameters_to_context(context, stream.pointee.codecpar)
        guard copied >= 0 else { throw .after(copied) }
        context.pointee.thread_count = 1
        context.pointee.pkt_timebase = stream.pointee.time_base
        let opened = avcodec_open2(context, codec, nil)
        guard opened >= 0 else { throw .after(opened) }
        self.context = context
        self.frame = frame
    }

    /// Whether more packets failed than an intact recording may have.
    var isDamaged: Bool { errors > Self.errorsAllowed + packets / Self.packetsPerErrorAllowed }
    /// Whether any packet failed.
    var hasErrors: Bool { errors > 0 }

    /// The sample format of its frames.
    var format: AVSampleFormat { context.pointee.sample_fmt }

    /// Counts a packet that could not be parsed.
    mutating func countBroken() {
        packets += 1
        errors += 1
    }

    /// Decodes one packet and passes its frames to `take`. `nil` flushes the decoder at the end.
    mutating func decode(
        _ packet: UnsafeMutablePointer<AVPacket>?, _ take: (UnsafeMutablePointer<AVFrame>) throws(WorkerFailure) -> Void
    ) throws(WorkerFailure) {
        if packet != nil { packets += 1 }
        let sent = avcodec_send_packet(context, packet)
        if sent < 0, sent != EARSHOT_AV_EOF { try note(sent) }
        while true {
            let status = avcodec_receive_frame(context, frame)
            if status == EARSHOT_AV_AGAIN || status == EARSHOT_AV_EOF { return }
            if status < 0 { return try note(status) }
            try take(frame)
            av_frame_unref(frame)
        }
    }

    private mutating func note(_ error: Int32) throws(WorkerFailure) {
        if error == EARSHOT_AV_NO_MEMORY { throw .broken }
        errors += 1
    }
}
