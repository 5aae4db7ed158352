import EarshotCore
import EarshotMedia
import EarshotModel
import Foundation
import Logging

extension Doctor {
    /// Has a real media worker decode a second of sound in its sandbox, as it does with every recording, and says how
    /// well it is confined.
    func codecs() async -> [Finding] {
        guard configuration.hasWorker else {
            return [
                Finding(
                    "codecs", .bad, ServerConfiguration.workerNotFound(at: configuration.worker.places),
                    remedy: ServerConfiguration.workerRemedy)
            ]
        }
        let folder = NSTemporaryDirectory() + "earshot-doctor-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pool = WorkerPool(
            .init(executable: configuration.worker.path),
            logger: Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() })
        do {
            let milliseconds = try await Self.trial(pool, folder: folder)
            let codecs = Finding(
                "codecs", .good, "the worker decoded \(milliseconds) ms of sound in its sandbox and made an MP3")
            return [codecs] + (pool.walls.map { [Self.sandbox($0)] } ?? [])
        } catch {
            return [
                Finding(
                    "codecs", .bad, "the worker could not decode a plain WAV file: \(pool.startFailure ?? "\(error)")",
                    remedy:
                        "Install libavformat, libavcodec with libmp3lame and libswresample, and use a kernel with "
                        + "seccomp. A service must be allowed the system calls seccomp and capset."
                )
            ]
        }
    }

    /// How many walls stand around a worker.
    static func sandbox(_ walls: WorkerPool.Walls) -> Finding {
        let standing = walls.standing.joined(separator: ", ")
        guard !walls.missing.isEmpty else {
            return Finding("sandbox", .good, "media workers are fully confined: \(standing)")
        }
        return Finding(
            "sandbox", .warning,
            "media workers are confined by \(standing), but not by: \(walls.missing.joined(separator: ", "))",
            remedy: "Let the service make namespaces: no RestrictNamespaces, and in a container the right to unshare.")
    }

    private static func trial(_ pool: WorkerPool, folder: String) async throws -> Int {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask {
                try await pool.run()
                return nil
            }
            group.addTask { try await decode(with: pool, in: folder) }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw AdapterFailure("the worker pool ended", isRetryable: false)
        }
    }

    private static func decode(with pool: WorkerPool, in folder: String) async throws -> Int {
        let media = try await MediaStore.open(
            folder, pool: pool, reserve: SpaceReserve(bytes: 0, percent: 0),
            logger: Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() })
        let sound = tone()
        let environment = SystemEnvironment.system
        let request = UploadRequest(
            conversation: environment.id(), draft: environment.id(), author: "doctor",
            limitMs: Limits.audioDurationMs.lowerBound, at: environment.now())
        let upload = try await media.begin(request).upload
        _ = try await media.append(sound, at: 0, to: upload, by: "doctor")
        return try await media.finish(upload, WholeRecording(bytes: sound.count), by: "doctor").content.durationMs
    }

    /// Makes a second of 440 Hz as a WAV file: 8 kHz, 16 bit, mono.
    private static func tone() -> [UInt8] {
        let rate = 8000
        let samples = (0..<rate).flatMap { index -> [UInt8] in
            let value = UInt16(bitPattern: Int16(10_000 * sin(Double(index) * 2 * .pi * 440 / Double(rate))))
            return [UInt8(value & 0xff), UInt8(value >> 8)]
        }
        return Array("RIFF".utf8) + little(UInt32(36 + samples.count)) + Array("WAVEfmt ".utf8) + little(16) + [
            1, 0, 1, 0,
        ]
            + little(UInt32(rate)) + little(UInt32(rate * 2)) + [2, 0, 16, 0] + Array("data".utf8)
            + little(UInt32(samples.count)) + samples
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
