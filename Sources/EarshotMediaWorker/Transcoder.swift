import EarshotWorkerProtocol

/// What is made of every recording as it arrives: MP3, length, waveform, loudness. One pass.
struct Transcoder {
    let input: RecordingInput
    let output: WorkerOutput
    let encoder: SoundEncoder
    let limitMs: UInt32

    func run() throws(WorkerFailure) -> WorkerResult {
        let rate = SoundEncoder.Format.mp3.rate
        var reader = try SoundReader(input, rate: rate, limitMs: limitMs)
        guard let loudness = Loudness(rate: rate) else { throw .broken }
        var waveform = Waveform(span: Int(rate) / 1000)
        var mp3 = MP3Stream(output: output)
        let codec = try reader.read { samples in
            waveform.add(samples)
            loudness.add(samples)
            return encoder.encode(samples) { mp3.add($0) }
        }
        guard encoder.finish({ mp3.add($0) }) else { throw .broken }
        mp3.finish(encoder)
        return WorkerResult(
            durationMs: reader.ms, container: reader.container, codec: codec, waveform: waveform.folded(),
            loudness: loudness.tenths)
    }
}
