import CLibAV
import EarshotWorkerProtocol

extension WorkerFailure {
    /// What a failed libav call means. Lack of memory is not the recording's fault.
    static func after(_ error: Int32) -> WorkerFailure { error == EARSHOT_AV_NO_MEMORY ? .broken : .damaged }
}
