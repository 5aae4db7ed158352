public import EarshotCore

/// How people get into the demo without credentials of their own; nothing outside of the demo.
public struct DemoSignIn: Sendable {
    /// Finds the one-click link of a token.
    let link: @Sendable (String) -> SignInLink?
    /// Makes an ID token for the shop's "Sign in"; `nil` where there is no such shop.
    let idToken: (@Sendable () throws -> String)?

    /// Makes the value. Without `link` there are no links.
    public init(
        link: @escaping @Sendable (String) -> SignInLink? = { _ in nil },
        idToken: (@Sendable () throws -> String)? = nil
    ) {
        self.link = link
        self.idToken = idToken
    }
}
