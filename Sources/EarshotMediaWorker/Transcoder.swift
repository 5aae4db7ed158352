import EarshotWorkerProtocol

/// Makes the MP3 of a recording while it arrives, and measures duration, waveform and loudness, in one pass.
struct Transcoder {
    let input: RecordingInput
    let output: WorkerOutput
    let encoder: AudioEncoder
    let limitMs: UInt32

    /// Runs to the end of the recording; throws what is wrong with it.
    func run() throws(WorkerFailure) -> WorkerResult {
        let rate = AudioEncoder.Format.mp3.rate
        var reader = try AudioReader(input, rate: rate, limitMs: limitMs)
        guard let loudness = LoudnessMeter(rate: rate) else { throw .broken }
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
            durationMs: reader.ms, container: reader.container, codec: codec, waveform: waveform.spans(),
            loudness: loudness.tenths, containerMs: reader.containerMs ?? reader.ms)
    }
}
