import EarshotWorkerProtocol

/// One recording to be decoded, as a worker's session sees it: what is wanted, where its bytes come from, where what is made goes, who wants to know.
///
/// Either a session calls `attach` first and `end` last, each once, or `abandon` is called.
protocol WorkerJob: AnyObject, Sendable {
    var order: WorkerOrder { get }

    /// A worker has it: `process` can be ended or given a deadline from now on.
    func attach(_ process: WorkerProcess)

    /// The next bytes; waits for them. `nil` at the recording's end.
    func next() async throws -> [UInt8]?

    func take(sound: [UInt8]) async throws
    func take(head: [UInt8]) async throws

    func end(_ outcome: WorkerOutcome) async

    /// No worker could be had in time.
    func abandon()
}

/// How a job ended.
enum WorkerOutcome: Sendable {
    case result(WorkerResult)
    /// The format that was ordered is whole.
    case made(RenditionResult)
    /// The recording's fault.
    case refused(WorkerFailure)
    /// The worker crashed, hung, was killed or said what no worker says.
    case crashed(String)
    /// Our own side of it failed: its files.
    case failed(any Error)
}
