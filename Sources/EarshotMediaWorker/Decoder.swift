import CLibAV
import EarshotWorkerProtocol

/// libavcodec on one track, one thread.
///
/// A packet that does not decode is counted, not fatal: real recordings have a broken one now and then. Too many of them, and the recording is damaged.
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

    /// Whether more failed than a sound recording may have.
    var isDamaged: Bool { errors > Self.errorsAllowed + packets / Self.packetsPerErrorAllowed }
    var hasErrors: Bool { errors > 0 }

    /// What its frames are like.
    var format: AVSampleFormat { context.pointee.sample_fmt }

    /// Counts a packet that is not even one.
    mutating func countBroken() {
        packets += 1
        errors += 1
    }

    /// Decodes one packet (`nil`: what is still inside) and hands over its frames.
    mutating func decode(
        _ packet: UnsafeMutablePointer<AVPacket>?, _ take: (UnsafeMutablePointer<AVFrame>) throws(WorkerFailure) -> Void
    ) throws(WorkerFailure) {
        if packet != nil { packets += 1 }
        let sent = avcodec_send_packet(context, packet)
        if sent < 0, sent != EARSHOT_AV_EOF { try note(sent) }
        while true {
            let said = avcodec_receive_frame(context, frame)
            if said == EARSHOT_AV_AGAIN || said == EARSHOT_AV_EOF { return }
            if said < 0 { return try note(said) }
            try take(frame)
            av_frame_unref(frame)
        }
    }

    private mutating func note(_ error: Int32) throws(WorkerFailure) {
        if error == EARSHOT_AV_NO_MEMORY { throw .broken }
        errors += 1
    }
}
