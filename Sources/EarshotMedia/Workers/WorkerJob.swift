import EarshotCore
import EarshotWorkerProtocol

/// One recording for a worker, as the worker's session sees it: what to do, where the bytes come from, where the output
/// goes, and how it ended.
///
/// Either a session calls `start` first and `finish` last, each once, or the pool calls `abandon`.
protocol WorkerJob: AnyObject, Sendable {
    /// For whom, so that everyone gets a fair share of the workers; `nil` if that is not known.
    var source: UploadSource? { get }

    /// What the worker has to do.
    var order: WorkerOrder { get }

    /// A worker has the job. From now on the job may end `process` or give it a deadline.
    func start(on process: WorkerProcess)

    /// Waits for the recording's next bytes; `nil` at its end.
    func nextBytes() async throws -> [UInt8]?

    /// Appends bytes to the output file.
    func write(audio: [UInt8]) async throws

    /// Replaces the first bytes of the output file.
    func write(header: [UInt8]) async throws

    /// The worker is gone, or has answered.
    func finish(_ outcome: WorkerOutcome) async

    /// No worker was free in time.
    func abandon()
}

/// How a job ended.
enum WorkerOutcome: Sendable {
    /// The recording was decoded and its MP3 is complete.
    case result(WorkerResult)
    /// The ordered rendition is complete.
    case rendition(RenditionResult)
    /// The worker does not accept the recording.
    case refused(WorkerFailure)
    /// The worker crashed, hung, was killed or sent an invalid frame.
    case crashed(String)
    /// The server's own side failed, such as reading or writing a file.
    case failed(any Error)
}

/// The one job that an idle worker waits for; `nil` if it gets none. A job that was assigned is always ended, even if
/// the worker dies at that moment.
typealias WorkerAssignment = OneShot<(any WorkerJob)?>
