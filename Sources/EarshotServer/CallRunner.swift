import EarshotCore
import ServiceLifecycle

/// Ends the calls whose devices do not come back: looks every second.
struct CallRunner: Service {
    let calls: CallService

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                await calls.endAbandoned()
            }
        }
    }
}
