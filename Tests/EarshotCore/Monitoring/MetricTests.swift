import EarshotCore
import Testing

@Suite struct `A metric` {
    private enum Fruit: String, MetricLabel {
        case apple, pear
    }

    @Test func `counts from several threads without losing one`() async {
        let counter = Counter("fruits_total", "Fruits.")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<10_000 { counter.increment() } } }
        }
        #expect(counter.value == 80_000)
    }

    @Test func `reports every value of its label from the start`() {
        let counter = LabelledCounter<Fruit>("fruits_total", "Fruits.", by: "kind")
        counter.increment(.pear, by: 2)
        let family = counter.family
        #expect(family.kind == .counter)
        #expect(family.samples.map(\.labels) == [[.init("kind", "apple")], [.init("kind", "pear")]])
        #expect(family.samples.map(\.value) == [0, 2])
    }

    @Test func `rises and falls as a gauge`() {
        let gauge = LabelledGauge<Fruit>("fruits", "Fruits.", by: "kind")
        gauge.add(3, to: .apple)
        gauge.add(-1, to: .apple)
        #expect(gauge.value(.apple) == 2)
        #expect(gauge.value(.pear) == 0)
    }

    @Test(arguments: [(9, 0), (10, 0), (11, 1), (20, 1), (21, 2), (-5, 0), (Int.max / 2, 2)])
    func `puts an observation into the first bucket that is large enough`(value: Int, bucket: Int) {
        let histogram = Histogram("sizes", "Sizes.", .counts([10, 20]))
        histogram.observe(value)
        let buckets = histogram.family.samples.filter { $0.suffix == "_bucket" }.map(\.value)
        #expect(buckets == (0..<3).map { $0 >= bucket ? 1 : 0 })
    }

    @Test func `reports cumulative buckets up to infinity, whose last is the count`() {
        let histogram = Histogram("waits_seconds", "Waits.", .milliseconds([5, 1_000]))
        histogram.observe(.milliseconds(2))
        histogram.observe(.milliseconds(700))
        histogram.observe(.seconds(3))
        let samples = histogram.family.samples
        #expect(samples.map(\.suffix) == ["_bucket", "_bucket", "_bucket", "_sum", "_count"])
        #expect(samples.prefix(3).flatMap(\.labels).map(\.value) == ["0.005", "1", "+Inf"])
        #expect(samples.map(\.value) == [1, 2, 3, 3.702, 3])
    }

    @Test func `omits what cannot be read now`() {
        #expect(ReadMetric("space_bytes", "Space.") { nil }.family.samples.isEmpty)
        #expect(ReadMetric("space_bytes", "Space.") { 7 }.family.samples == [.init(value: 7)])
        let byLabel = ReadMetric("space_bytes", "Space.", by: "kind") { [Fruit.pear: 1] }
        #expect(byLabel.family.samples == [.init(labels: [.init("kind", "pear")], value: 1)])
    }

    @Test(arguments: [
        (1.0, "1"), (0.25, "0.25"), (-3, "-3"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
        (1e18, "1000000000000000000"),
    ])
    func `writes values as Prometheus reads them`(value: Double, text: String) {
        #expect(MetricFamily.text(value) == text)
        #expect(MetricFamily.text(.nan) == "NaN")
    }
}
