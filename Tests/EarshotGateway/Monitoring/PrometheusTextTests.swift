import EarshotCore
import Testing

@testable import EarshotServer

@Suite struct `Metrics as text` {
    @Test func `have one HELP and TYPE per family, sorted, with escaped values`() {
        let families = [
            MetricFamily(
                name: "b_total", help: "Two\nlines and a \\ and \"quotes\".", kind: .counter,
                samples: [.init(labels: [.init("a", "x\"y\\z\nw"), .init("b", "é")], value: 3)]),
            MetricFamily(name: "a_seconds", help: "A.", kind: .gauge, samples: [.init(value: 0.5)]),
            MetricFamily(name: "empty", help: "Nothing now.", kind: .gauge, samples: []),
        ]
        let text = String(decoding: PrometheusText.write(families), as: UTF8.self)
        #expect(
            text == """
                # HELP a_seconds A.
                # TYPE a_seconds gauge
                a_seconds 0.5
                # HELP b_total Two\\nlines and a \\\\ and "quotes".
                # TYPE b_total counter
                b_total{a="x\\"y\\\\z\\nw",b="é"} 3

                """)
    }

    @Test(arguments: [
        ("127.0.0.1:9464", "127.0.0.1", 9464), ("127.8.0.1:1", "127.8.0.1", 1), ("[::1]:65535", "::1", 65_535),
        ("localhost:9464", "localhost", 9464),
    ]) func `are served on this machine`(text: String, host: String, port: Int) throws {
        let address = try #require(MetricsAddress(text))
        #expect(address.host == host && address.port == port)
    }

    @Test(arguments: [
        "", "9464", ":9464", "0.0.0.0:9464", "10.0.0.1:9464", "[::]:9464", "::1:9464", "127.0.0.1", "127.0.0.1:",
        "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:x", "127.0.0:1", "127.0.0.256:1", "shop.example:9464",
    ]) func `are not served where other machines can reach them`(text: String) {
        #expect(MetricsAddress(text) == nil)
    }
}
