import CLibAV
import EarshotAudioFormats
import EarshotWorkerProtocol

/// Moves Opus packets from one container to an Ogg file without decoding them. Each packet is validated first and loses
/// its padding.
struct OpusRemux {
    private let demuxer: Demuxer
    private let limitMs: UInt32
    private static let samplesPerMs = 48
    /// libav's side data about samples to drop: four bytes for the start, then four for the end.
    private static let trimBytes = 8

    init(_ input: RecordingInput, _ container: AudioContainer, limitMs: UInt32) throws(WorkerFailure) {
        input.rewind()
        demuxer = try Demuxer(input, container)
        self.limitMs = limitMs
    }

    /// The Ogg file; `nil` if the recording is not Opus, or if its packets alone are not enough (several streams, an
    /// output gain).
    func run() throws(WorkerFailure) -> OggOpusFile? {
        let parameters = demuxer.stream.pointee.codecpar.pointee
        guard parameters.codec_id == AV_CODEC_ID_OPUS else { return nil }
        let head = ByteView(
            UnsafeRawBufferPointer(start: parameters.extradata, count: Int(max(0, parameters.extradata_size))))
        guard let head = OpusHead(head), head.isPlain, let packet = av_packet_alloc() else { return nil }
        var file = OggOpusFile(preSkip: head.preSkip)
        var trim = 0
        while try demuxer.next(packet) {
            guard let opus = OpusPacket(Self.bytes(of: packet)) else { return nil }
            file.add(opus.bytes, samples: opus.samples)
            guard file.durationMs <= limitMs else { throw .tooLong }
            trim = Self.trim(of: packet)
        }
        file.finish(trim: trim)
        guard file.durationMs > 0 else { throw .empty }
        return file
    }

    private static func bytes(of packet: UnsafeMutablePointer<AVPacket>) -> ByteView {
        ByteView(UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }

    private static func trim(of packet: UnsafeMutablePointer<AVPacket>) -> Int {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= trimBytes else {
            return 0
        }
        return Int(ByteView(UnsafeRawBufferPointer(start: data, count: size)).little(4, at: 4))
    }
}
