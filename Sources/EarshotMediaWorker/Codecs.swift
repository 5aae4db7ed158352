import CLibAV
import EarshotWorkerProtocol

/// The decoders that untrusted bytes may reach, and which container may use which.
enum Codecs {
    /// The same list for libav, so that it opens no other decoder.
    static let whitelist = "opus,aac,mp3float,amrnb,amrwb,alac," + pcm.map(\.name).joined(separator: ",")

    private static let pcm: [(id: AVCodecID, name: String)] = [
        (AV_CODEC_ID_PCM_U8, "pcm_u8"), (AV_CODEC_ID_PCM_S16LE, "pcm_s16le"), (AV_CODEC_ID_PCM_S24LE, "pcm_s24le"),
        (AV_CODEC_ID_PCM_S32LE, "pcm_s32le"), (AV_CODEC_ID_PCM_F32LE, "pcm_f32le"),
        (AV_CODEC_ID_PCM_F64LE, "pcm_f64le"),
        (AV_CODEC_ID_PCM_S16BE, "pcm_s16be"), (AV_CODEC_ID_PCM_S24BE, "pcm_s24be"),
        (AV_CODEC_ID_PCM_S32BE, "pcm_s32be"),
        (AV_CODEC_ID_PCM_F32BE, "pcm_f32be"), (AV_CODEC_ID_PCM_F64BE, "pcm_f64be"),
        (AV_CODEC_ID_PCM_ALAW, "pcm_alaw"), (AV_CODEC_ID_PCM_MULAW, "pcm_mulaw"),
    ]

    /// The decoder for a track; `nil` if this container may not carry the codec. For Opus it is libav's own, which
    /// takes half the time of libopus (0.23 s instead of 0.44 s for two minutes).
    static func decoder(for id: AVCodecID, in container: AudioContainer) -> (codec: AudioCodec, name: String)? {
        switch (container, id) {
        case (.webm, AV_CODEC_ID_OPUS), (.ogg, AV_CODEC_ID_OPUS), (.mp4, AV_CODEC_ID_OPUS), (.caf, AV_CODEC_ID_OPUS):
            (.opus, "opus")
        case (.mp4, AV_CODEC_ID_AAC), (.caf, AV_CODEC_ID_AAC): (.aac, "aac")
        case (.mp4, AV_CODEC_ID_ALAC), (.caf, AV_CODEC_ID_ALAC): (.alac, "alac")
        case (.mp3, AV_CODEC_ID_MP3): (.mp3, "mp3float")
        case (.amr, AV_CODEC_ID_AMR_NB), (.mp4, AV_CODEC_ID_AMR_NB), (.caf, AV_CODEC_ID_AMR_NB): (.amr, "amrnb")
        case (.amr, AV_CODEC_ID_AMR_WB), (.mp4, AV_CODEC_ID_AMR_WB): (.amrWideband, "amrwb")
        case (.wav, _), (.caf, _): pcm.first { $0.id == id }.map { (.pcm, $0.name) }
        default: nil
        }
    }

    /// Why a track is not read for which there is no decoder.
    static func failure(for id: AVCodecID) -> WorkerFailure {
        switch id {
        case AV_CODEC_ID_VORBIS: .vorbis
        case AV_CODEC_ID_SPEEX: .speex
        case AV_CODEC_ID_FLAC: .flac
        case AV_CODEC_ID_GSM, AV_CODEC_ID_GSM_MS: .gsm
        case AV_CODEC_ID_ADPCM_MS, AV_CODEC_ID_ADPCM_IMA_WAV, AV_CODEC_ID_ADPCM_IMA_QT: .adpcm
        default: .notAudio
        }
    }

    /// Opens nearly every decoder and the MP3 encoder once, so that their tables are built and their code is in memory
    /// before there is a recording and before the sandbox closes.
    /// - Returns: the MP3 encoder; `nil` if a codec is missing.
    static func warmUp() -> AudioEncoder? {
        av_log_set_level(AV_LOG_QUIET)
        for name in ["opus", "aac", "mp3float", "amrnb", "amrwb", "pcm_s16le"] {
            guard let codec = avcodec_find_decoder_by_name(name), let context = avcodec_alloc_context3(codec) else {
                return nil
            }
            context.pointee.thread_count = 1
            context.pointee.sample_rate = 48_000
            av_channel_layout_default(&context.pointee.ch_layout, 1)
            guard avcodec_open2(context, codec, nil) >= 0 else { return nil }
        }
        guard avcodec_find_decoder_by_name("alac") != nil, avcodec_find_encoder_by_name("libopus") != nil,
            avcodec_find_encoder_by_name("aac") != nil,
            Resampler(
                from: .init(rate: 48_000, format: AV_SAMPLE_FMT_FLTP, channels: 2), to: AudioEncoder.Format.mp3.rate)
                != nil
        else { return nil }
        return AudioEncoder(.mp3)
    }
}
