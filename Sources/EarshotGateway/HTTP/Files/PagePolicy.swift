/// The headers that say what a page may load, who may frame it, and which device features it may use. They hold even
/// where our own code has a defect.
struct PagePolicy {
    let page: Page
    /// Our own WebSocket addresses: not every browser includes them in `'self'`.
    let sockets: [String]
    /// Origins that may frame the widget.
    let framers: [String]

    var headers: [(String, String)] {
        let corp = ("cross-origin-resource-policy", page.isForOtherOrigins ? "cross-origin" : "same-origin")
        // The API description is for everyone: tools on other origins may read it.
        let open = page.place == .schema ? [("access-control-allow-origin", "*")] : []
        guard page.isHTML else {
            return open + [corp, ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox")]
        }
        return [
            corp, ("content-security-policy", contentSecurityPolicy), ("permissions-policy", permissions),
            ("cross-origin-opener-policy", "same-origin"),
        ]
    }

    private var contentSecurityPolicy: String {
        let style = page.place == .landing ? "style-src '\(LandingPage.styleHash)'" : "style-src 'self'"
        let common = ["default-src 'none'", style, "img-src 'self' data:", "base-uri 'none'", "form-action 'none'"]
        let app = [
            "script-src 'self'", (["connect-src 'self'"] + sockets).joined(separator: " "), "media-src 'self' blob:",
            "font-src 'self'",
            "worker-src 'self'", "manifest-src 'self'",
        ]
        // Our own code assigns no text to a sink that would run it. This makes the browser refuse it, too.
        let trusted = ["require-trusted-types-for 'script'", "trusted-types 'none'"]
        let framed = (["frame-ancestors 'self'"] + framers).joined(separator: " ")
        switch page.place {
        case .workspace: return joined(common + app + trusted + ["frame-ancestors 'none'"])
        case .widget: return joined(common + app + trusted + [framed])
        case .demo, .trial: return joined(common + app + ["frame-src 'self'", "frame-ancestors 'none'"])
        case .landing, .loader, .schema: return joined(common + ["frame-ancestors 'none'"])
        }
    }

    private func joined(_ directives: [String]) -> String { directives.joined(separator: "; ") }

    /// Allows the microphone and the camera for pages that record and call, the screen for people of the brand, who may
    /// show it in a call, and no other device feature.
    private var permissions: String {
        let own = page.place == .landing ? "()" : "(self)"
        let screen = page.place == .workspace ? "(self)" : "()"
        return "microphone=\(own), camera=\(own), display-capture=\(screen), "
            + "geolocation=(), payment=(), usb=(), midi=(), serial=()"
    }
}

extension Page {
    /// Whether pages of other origins may load it.
    fileprivate var isForOtherOrigins: Bool { place == .loader || place == .schema }
}
