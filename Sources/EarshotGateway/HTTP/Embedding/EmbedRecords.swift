import EarshotModel
import Logging
import Synchronization

/// What the server saw lately of pages that embed the widget: for managers, who check whether a page is right, and for
/// the log. Everything is bounded, because anyone can send such requests.
final class EmbedRecords: Sendable {
    /// A page that loaded the script or the widget of a brand.
    struct Load: Hashable, Sendable {
        /// The App ID that the page named.
        let app: String
        let origin: String
        /// What was loaded.
        let part: Part
        /// `nil` where it was all right.
        let refusal: EmbedRefusal?

        enum Part: String, Hashable, Sendable, Encodable {
            case script, widget
        }
    }

    /// The brands that are remembered. The one whose last load is oldest is dropped.
    static let brands = 1_000
    /// The loads of a brand that were all right, and as many that were refused: untrusted clients cannot push out the
    /// former.
    static let loadsOfBrand = 20
    /// The causes that are logged in a minute.
    static let causes = 20
    private static let minuteMs: Int64 = 60_000

    private struct State {
        var loads: [AccountID: [(load: Load, at: Timestamp)]] = [:]
        var minute: Timestamp?
        var logged: Set<EmbedRefusal> = []
        var omitted = 0
    }

    private let state = Mutex(State())
    private let logger: Logger
    private let now: @Sendable () -> Timestamp

    init(logger: Logger, now: @escaping @Sendable () -> Timestamp) {
        (self.logger, self.now) = (logger, now)
    }

    /// Now, for the ages of loads.
    var time: Timestamp { now() }

    /// Notes a load of a brand's page, once for each that differs.
    func note(_ load: Load, of account: AccountID) {
        let at = now()
        state.withLock { state in
            var loads = state.loads[account] ?? []
            loads.removeAll { $0.load == load }
            loads.insert((load, at), at: 0)
            let same = loads.filter { ($0.load.refusal == nil) == (load.refusal == nil) }
            if same.count > Self.loadsOfBrand, let oldest = same.last {
                loads.removeAll { $0.load == oldest.load }
            }
            state.loads[account] = loads
            guard state.loads.count > Self.brands else { return }
            let idle = state.loads.min { ($0.value.first?.at ?? at) < ($1.value.first?.at ?? at) }
            if let idle { state.loads[idle.key] = nil }
        }
    }

    /// The loads of a brand's pages, the latest first.
    func loads(of account: AccountID) -> [(load: Load, at: Timestamp)] {
        state.withLock { $0.loads[account] ?? [] }
    }

    /// Logs a refusal, once a minute for each cause and for `causes` at most.
    func log(_ refusal: EmbedRefusal, at address: String) {
        let at = now()
        let (isNew, omitted) = state.withLock { state -> (Bool, Int) in
            var omitted = 0
            if at.milliseconds - (state.minute?.milliseconds ?? .min / 2) >= Self.minuteMs {
                (omitted, state.minute, state.logged, state.omitted) = (state.omitted, at, [], 0)
            }
            if state.logged.contains(refusal) { return (false, omitted) }
            guard state.logged.count < Self.causes else {
                state.omitted += 1
                return (false, omitted)
            }
            state.logged.insert(refusal)
            return (true, omitted)
        }
        if omitted > 0 {
            logger.warning("The widget was refused for further reasons.", metadata: ["requests": "\(omitted)"])
        }
        if isNew { logger.warning("The widget was refused: \(refusal.sentence(at: address))") }
    }
}
