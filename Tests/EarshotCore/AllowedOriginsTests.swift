import Testing

@testable import EarshotCore

@Suite struct `The origins that apps allow` {
    @Test func `keep one that was just found over a refresh that began before`() {
        let origins = AllowedOrigins()
        origins.insert("https://new.example")
        origins.replace(with: ["https://old.example"])
        #expect(origins.contains("https://new.example") && origins.contains("https://old.example"))
        origins.replace(with: ["https://old.example"])
        #expect(!origins.contains("https://new.example"))
    }
}
