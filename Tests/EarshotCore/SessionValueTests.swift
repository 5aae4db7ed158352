import Testing

@testable import EarshotCore

@Suite struct `The CSRF value of a session` {
    @Test func `follows from the cookie, differs from cookie to cookie, and does not contain it`() {
        let value = SignInService.csrf(of: "cookie")
        #expect(value == SignInService.csrf(of: "cookie"))
        #expect(value != SignInService.csrf(of: "cookie2"))
        #expect(value.count == 22 && !value.contains("cookie"))
    }
}
