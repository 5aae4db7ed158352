import EarshotWorkerProtocol

/// Writes the MP3 to the server: a placeholder for the header, the encoder's frames, and at the end the header itself.
struct MP3Stream {
    private let output: WorkerOutput
    private var header: MP3Header?
    private var frames = 0
    private var bytes = 0

    init(output: WorkerOutput) {
        self.output = output
    }

    /// Writes one frame.
    mutating func add(_ frame: [UInt8]) {
        if header == nil {
            let made = MP3Header(like: frame)
            output.put(.audio(made.placeholder))
            header = made
        }
        frames += 1
        bytes += frame.count
        output.put(.audio(frame))
    }

    /// Writes the header.
    func finish(_ encoder: AudioEncoder) {
        guard let header else { return }
        output.put(
            .header(
                header.complete(
                    frames: frames, bytes: bytes, samplesPerFrame: encoder.samplesPerFrame, delay: encoder.delay,
                    samples: encoder.samples)))
    }
}
