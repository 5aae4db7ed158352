import CLoad

/// Sizes and counts that must hold in every test run. No times: those are for people to compare.
///
/// Against a debug build: bytes on the wire, sizes of the pages. Against a release build also: memory per connection,
/// and CPU per message with a wide limit.
enum Gate {
    static func run() throws -> Int32 {
        cload_raise_descriptors()
        defer { Folders.removeAll() }
        var all = [try WireBench.run()]
        var web = Figures("web")
        try WebBench.sizes(&web)
        all.append(web)
        if Program.mode == "release" {
            var connections = Figures("connections")
            try ConnectionsBench.sizes(&connections)
            var messages = Figures("messages")
            try MessagesBench.atRate(&messages, seconds: 10)
            all += [connections, messages]
        }
        let broken = all.flatMap(\.brokenGates)
        for line in broken { print("OVER ITS GATE: \(line)") }
        print(
            broken.isEmpty ? "gate: every size and count is within its limit" : "gate: \(broken.count) over their limit"
        )
        return broken.isEmpty ? 0 : 1
    }
}
