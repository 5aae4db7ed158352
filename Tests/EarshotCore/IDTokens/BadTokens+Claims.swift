import EarshotModel

@testable import EarshotCore

extension BadTokens {
    private static let seconds = TestProvider.now.milliseconds / 1000

    private static func payload(_ name: String, _ bytes: [UInt8]) -> BadToken {
        BadToken(name, .malformedClaims) {
            try TestProvider.token(
                header: Array(TestProvider.header().utf8), payload: bytes, sign: $0.rs256Signature)
        }
    }

    private static func payload(_ name: String, _ text: String) -> BadToken { payload(name, Array(text.utf8)) }

    static let payloads: [BadToken] = [
        payload("a payload that is no JSON", "person-7"),
        payload("a payload that is an array", "[\(TestProvider.claims())]"),
        payload("two objects", TestProvider.claims() + TestProvider.claims()),
        payload("a payload after a byte order mark", "\u{feff}" + TestProvider.claims()),
        payload("a payload in UTF-16", TestProvider.claims().utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }),
        payload("two subjects", TestProvider.claims().dropLast() + ",\"sub\":\"person-8\"}"),
        payload(
            "two subjects, one of them escaped", TestProvider.claims().dropLast() + ",\"\\u0073ub\":\"person-8\"}"),
        payload(
            "a name twice in an inner object", TestProvider.claims().dropLast() + ",\"x\":{\"a\":1,\"a\":2}}"),
        payload(
            "nested deeper than 8 levels",
            TestProvider.claims().dropLast() + ",\"x\":" + String(repeating: "[", count: 8)
                + String(repeating: "]", count: 8) + "}"),
        payload("a comma too many", TestProvider.claims().dropLast() + ",}"),
        payload("an unpaired surrogate", TestProvider.claims(["sub": "\"\\ud800\""])),
        payload("a line break in a string", TestProvider.claims(["sub": "\"a\nb\""])),
        payload("a time with a leading zero", TestProvider.claims(["exp": "0\(seconds + 600)"])),
    ]

    static let parties: [BadToken] = [
        .claims("no issuer", .wrongIssuer, ["iss": nil]),
        .claims("another issuer", .wrongIssuer, ["iss": "\"https://id.attacker.example\""]),
        .claims("the issuer with a slash more", .wrongIssuer, ["iss": "\"\(TestProvider.issuer)/\""]),
        .claims("the issuer in another case", .wrongIssuer, ["iss": "\"https://ID.brand.example\""]),
        .claims("the issuer in a list", .wrongIssuer, ["iss": "[\"\(TestProvider.issuer)\"]"]),
        .claims("no audience", .wrongAudience, ["aud": nil]),
        .claims("another audience", .wrongAudience, ["aud": "\"shop\""]),
        .claims("an empty audience", .wrongAudience, ["aud": "\"\""]),
        .claims("an empty list of audiences", .wrongAudience, ["aud": "[]"]),
        .claims("a list of other audiences", .wrongAudience, ["aud": "[\"shop\",\"bank\"]"]),
        .claims("an audience that only begins with ours", .wrongAudience, ["aud": "\"earshot-2\""]),
        .claims("an audience that is an object", .wrongAudience, ["aud": "{\"earshot\":true}"]),
        .claims("a list with a number in it", .wrongAudience, ["aud": "[\"earshot\",1]", "azp": "\"earshot\""]),
        .claims("several audiences and no authorized party", .wrongAudience, ["aud": "[\"earshot\",\"shop\"]"]),
        .claims(
            "several audiences and another authorized party", .wrongAudience,
            ["aud": "[\"earshot\",\"shop\"]", "azp": "\"shop\""]),
        .claims("our audience and another authorized party", .wrongAudience, ["azp": "\"shop\""]),
        .claims("an authorized party that is null", .wrongAudience, ["azp": "null"]),
    ]

    static let subjects: [BadToken] = [
        .claims("no subject", .invalidSubject, ["sub": nil]),
        .claims("an empty subject", .invalidSubject, ["sub": "\"\""]),
        .claims("a subject that is a number", .invalidSubject, ["sub": "7"]),
        .claims("a subject of 256 bytes", .invalidSubject, ["sub": "\"\(String(repeating: "7", count: 256))\""]),
        .claims("a subject with a zero byte", .invalidSubject, ["sub": "\"person-7\\u0000\""]),
        .claims("a subject with a line break", .invalidSubject, ["sub": "\"person-7\\n\""]),
        .claims("a subject with a C1 control character", .invalidSubject, ["sub": "\"person-7\\u0085\""]),
    ]

    static let times: [BadToken] = [
        .claims("no expiry", .invalidTimes, ["exp": nil]),
        .claims("an expiry that is text", .invalidTimes, ["exp": "\"\(seconds + 600)\""]),
        .claims("an expiry that is null", .invalidTimes, ["exp": "null"]),
        .claims("an expiry beyond all numbers", .invalidTimes, ["exp": "1e300"]),
        .claims("an expiry that overflows a floating-point number", .malformedClaims, ["exp": "1e999"]),
        .claims("an expiry in milliseconds", .invalidTimes, ["exp": "\((seconds + 600) * 1000)"]),
        .claims("a negative expiry", .invalidTimes, ["exp": "-1"]),
        .claims("expired a minute ago", .expired, ["iat": "\(seconds - 600)", "exp": "\(seconds - 60)"]),
        .claims("expired at the beginning of time", .expired, ["exp": "0"]),
        .claims("no time of issue", .invalidTimes, ["iat": nil]),
        .claims("issued in more than a minute", .notYetValid, ["iat": "\(seconds + 61)"]),
        .claims("valid in more than a minute", .notYetValid, ["nbf": "\(seconds + 61)"]),
        .claims("a start that is text", .invalidTimes, ["nbf": "\"now\""]),
        .claims("issued after its expiry", .invalidTimes, ["iat": "\(seconds + 30)", "exp": "\(seconds + 20)"]),
        .claims("valid for more than a day", .tooLongLived, ["iat": "\(seconds)", "exp": "\(seconds + 86401)"]),
        .claims("issued long ago and valid for long", .tooLongLived, ["iat": "1", "exp": "\(seconds + 600)"]),
    ]
}
