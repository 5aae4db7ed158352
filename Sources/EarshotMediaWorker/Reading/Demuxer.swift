import CLibAV
import EarshotAudioFormats
import EarshotWorkerProtocol

/// Reads the packets of the first audio track with libavformat, with exactly one allowed demuxer.
///
/// Nothing is freed: the process ends with its recording.
struct Demuxer {
    private let format: UnsafeMutablePointer<AVFormatContext>
    let stream: UnsafeMutablePointer<AVStream>
    private static let bufferBytes: Int32 = 16 * 1024

    init(_ input: RecordingInput, _ container: AudioContainer) throws(WorkerFailure) {
        guard var opened = avformat_alloc_context() else { throw .broken }
        if container == .mp4, input.fragments == nil { input.fragments = MP4Fragments() }
        opened.pointee.pb = try Self.makeIO(input, isSeekable: container.isSeekable)
        opened.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        opened.pointee.format_whitelist = av_strdup(container.demuxer)
        opened.pointee.codec_whitelist = av_strdup(Codecs.whitelist)
        opened.pointee.protocol_whitelist = av_strdup("none")
        opened.pointee.io_open = { _, _, _, _, _ in EARSHOT_AV_REFUSED }
        var pointer: UnsafeMutablePointer<AVFormatContext>? = opened
        let status = avformat_open_input(&pointer, nil, av_find_input_format(container.demuxer), nil)
        guard status >= 0, let pointer else { throw .after(status) }
        opened = pointer
        format = opened
        stream = try Self.firstAudio(of: opened)
    }

    /// Reads the next packet of the track; `false` at the end.
    func next(_ packet: UnsafeMutablePointer<AVPacket>) throws(WorkerFailure) -> Bool {
        while true {
            av_packet_unref(packet)
            let status = av_read_frame(format, packet)
            if status == EARSHOT_AV_EOF { return false }
            guard status >= 0 else { throw .after(status) }
            if packet.pointee.stream_index == stream.pointee.index { return true }
        }
    }

    /// Selects the first audio track and discards all others, including pictures and video.
    private static func firstAudio(of format: UnsafeMutablePointer<AVFormatContext>) throws(WorkerFailure)
        -> UnsafeMutablePointer<AVStream>
    {
        let streams = (0..<Int(format.pointee.nb_streams)).compactMap { format.pointee.streams[$0] }
        guard let audio = streams.first(where: { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }) else {
            throw .notAudio
        }
        for stream in streams where stream != audio { stream.pointee.discard = AVDISCARD_ALL }
        return audio
    }

    private static func makeIO(_ input: RecordingInput, isSeekable: Bool) throws(WorkerFailure) -> UnsafeMutablePointer<
        AVIOContext
    > {
        guard let buffer = av_malloc(Int(bufferBytes))?.assumingMemoryBound(to: UInt8.self) else { throw .broken }
        let opaque = Unmanaged.passRetained(input).toOpaque()
        guard let io = avio_alloc_context(buffer, bufferBytes, 0, opaque, readFromInput, nil, seekInInput) else {
            throw .broken
        }
        io.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
        return io
    }
}

private func readFromInput(_ opaque: UnsafeMutableRawPointer?, _ target: UnsafeMutablePointer<UInt8>?, _ size: Int32)
    -> Int32
{
    guard let opaque, let target else { return EARSHOT_AV_EOF }
    let got = Unmanaged<RecordingInput>.fromOpaque(opaque).takeUnretainedValue().read(into: target, atMost: Int(size))
    return got > 0 ? Int32(got) : EARSHOT_AV_EOF
}

private func seekInInput(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ origin: Int32) -> Int64 {
    guard let opaque else { return -1 }
    return Unmanaged<RecordingInput>.fromOpaque(opaque).takeUnretainedValue().seek(
        to: offset, from: origin & ~EARSHOT_AV_SEEK_FORCE)
}
