/// Writes JSON by appending bytes, for values that are written thousands of times a second.
extension [UInt8] {
    /// Appends constant JSON without escaping.
    mutating func append(raw json: StaticString) { JSONText.append(raw: json, to: &self) }

    mutating func append(json number: some BinaryInteger) { JSONText.append(number, to: &self) }

    mutating func append(json text: String) { JSONText.append(text, to: &self) }

    mutating func append(json flag: Bool) { append(raw: flag ? "true" : "false") }

    /// `[a,b,c]`
    mutating func append<Value>(json values: some Sequence<Value>, _ appendOne: (inout [UInt8], Value) -> Void) {
        append(UInt8(ascii: "["))
        var isFirst = true
        for value in values {
            if !isFirst { append(UInt8(ascii: ",")) }
            isFirst = false
            appendOne(&self, value)
        }
        append(UInt8(ascii: "]"))
    }

    /// Appends a member, or omits it if it has no value.
    mutating func append(raw name: StaticString, _ value: String?) {
        guard let value else { return }
        append(raw: name)
        append(json: value)
    }
}
