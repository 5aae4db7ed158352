import EarshotWorkerProtocol

/// The MP3 on its way out: a place for its header, then the encoder's frames, then the header itself.
struct MP3Stream {
    private let output: WorkerOutput
    private var header: MP3Header?
    private var frames = 0
    private var bytes = 0

    init(output: WorkerOutput) {
        self.output = output
    }

    mutating func add(_ frame: [UInt8]) {
        if header == nil {
            let made = MP3Header(like: frame)
            output.put(.sound(made.placeholder))
            header = made
        }
        frames += 1
        bytes += frame.count
        output.put(.sound(frame))
    }

    func finish(_ encoder: SoundEncoder) {
        guard let header else { return }
        output.put(
            .head(
                header.complete(
                    frames: frames, bytes: bytes, samplesPerFrame: encoder.samplesPerFrame, delay: encoder.delay,
                    samples: encoder.samples)))
    }
}
