/// Decides which new connections are accepted, so that neither all clients together nor one network address can use up
/// the server's descriptors. Pure.
///
/// By default an address gets no more connections than are still free. So as the server fills up, those who hold many
/// are refused first, and a client from elsewhere still gets in.
struct ConnectionAdmission {
    /// How many connections one network address may hold.
    enum AddressLimit: Hashable, Sendable {
        /// No more than this, and no more than are still free.
        case fairShare(atMost: Int)
        /// Exactly this many.
        case fixed(Int)
    }

    enum Verdict: Hashable {
        case accepted
        /// The server has as many connections as it may have.
        case full
        /// This address has as many as it may have.
        case tooManyFromAddress
    }

    private let maximum: Int
    private let addressLimit: AddressLimit
    /// Proxies carry the connections of many clients; their clients are counted by forwarded address.
    private let exempt: [NetworkRange]
    private var open = 0
    private var byAddress: [String: Int] = [:]

    init(maximum: Int, addressLimit: AddressLimit, exempt: [NetworkRange]) {
        self.maximum = maximum
        self.addressLimit = addressLimit
        self.exempt = exempt
    }

    /// Counts a new connection, unless it must be refused.
    mutating func accept(_ address: NetworkAddress?) -> Verdict {
        guard open < maximum else { return .full }
        if let name = countedName(of: address) {
            let held = byAddress[name, default: 0]
            guard held < mostFromOneAddress else { return .tooManyFromAddress }
            byAddress[name] = held + 1
        }
        open += 1
        return .accepted
    }

    /// A connection that was accepted has ended.
    mutating func ended(_ address: NetworkAddress?) {
        open -= 1
        guard let name = countedName(of: address), let held = byAddress[name] else { return }
        byAddress[name] = held > 1 ? held - 1 : nil
    }

    private var mostFromOneAddress: Int {
        switch addressLimit {
        case .fairShare(let most): min(most, maximum - open)
        case .fixed(let most): most
        }
    }

    /// `nil` for a proxy.
    private func countedName(of address: NetworkAddress?) -> String? {
        guard let address else { return "unknown" }
        return exempt.contains { $0.contains(address) } ? nil : address.throttleName
    }
}
