import EarshotModel
import HTTPTypes

/// Tells whether a request comes from a browser on this very machine, and through nothing that could have let it in
/// from elsewhere.
enum LocalClient {
    /// What proxies and tunnels add to a request, also those that are not declared.
    private static let forwarding = [
        "Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP",
    ].compactMap { HTTPField.Name($0) }

    /// - Throws: `forbidden` for a client on another machine, for a request that went through a proxy, and for a page
    ///   whose host is not a name of this machine.
    static func check(_ head: HTTPRequest, _ peer: Peer) throws(Rejection) {
        guard peer.address?.isLoopback == true, peer.forwarding == .direct,
            !forwarding.contains(where: { head.headerFields.contains($0) }),
            OriginPolicy.isLoopback(host: head.authority ?? "")
        else {
            throw Rejection(
                .forbidden, "This link works only in a browser on the machine that runs the demo, and not via a proxy.")
        }
    }
}
