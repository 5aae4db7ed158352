import EarshotCore

/// Writes metrics in Prometheus's text format, version 0.0.4: one HELP and one TYPE for each family, then its values.
enum PrometheusText {
    /// The text of these metrics, sorted by name.
    static func write(_ families: [MetricFamily]) -> [UInt8] {
        var text = ""
        for family in families.sorted(by: { $0.name < $1.name }) where !family.samples.isEmpty {
            text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples { append(sample, of: family.name, to: &text) }
        }
        return Array(text.utf8)
    }

    private static func append(_ sample: MetricFamily.Sample, of name: String, to text: inout String) {
        text += name + sample.suffix
        if !sample.labels.isEmpty {
            let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
            text += "{" + labels.joined(separator: ",") + "}"
        }
        text += " \(MetricFamily.text(sample.value))\n"
    }

    /// Backslashes and line breaks are escaped, in label values quotes too.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\"" where quotes: out += "\\\""
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
