import CLibAV
import EarshotWorkerProtocol

extension WorkerFailure {
    /// What a call of libav that failed means: a lack of memory says nothing about the recording.
    static func after(_ error: Int32) -> WorkerFailure { error == EARSHOT_AV_NO_MEMORY ? .broken : .damaged }
}
