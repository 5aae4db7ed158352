import Foundation

/// Bar 9: what the pages weigh before anybody clicks, and what the loader takes from a phone's main thread.
enum WebBench {
    static func run() throws -> Figures {
        var figures = Figures("web")
        try sizes(&figures)
        try mainThread(&figures)
        return figures
    }

    static func sizes(_ figures: inout Figures) throws {
        let dist = Program.root + "/Web/dist"
        guard let files = FileManager.default.enumerator(atPath: dist)?.allObjects as? [String] else {
            throw Failure("no Web/dist: bin/web build")
        }
        let groups = [
            ("loader_gzip_bytes", "loader", "before the click"),
            ("widget_gzip_bytes", "widget", "text, recording, playback: scripts and styles"),
            ("calls_gzip_bytes", "calls", "loaded when there is, or could be, a call"),
            ("workspace_gzip_bytes", "workspace", "the agents' pages"),
        ]
        for (key, group, what) in groups {
            let members = files.filter {
                Self.group(of: $0) == group && ["js", "css"].contains(($0 as NSString).pathExtension)
            }
            guard !members.isEmpty else { continue }
            try figures.set(
                key, Double(members.reduce(0) { try $0 + gzipped(dist + "/" + $1) }), "\(what) (\(members.count) files)"
            )
        }
    }

    private static func group(of file: String) -> String {
        if file.hasPrefix("loader") { return "loader" }
        if file.hasPrefix("widget/call") || file.hasPrefix("widget/device-check") { return "calls" }
        return String(file.split(separator: "/")[0])
    }

    /// By the program of that name, best compression, as a server would keep it.
    private static func gzipped(_ path: String) throws -> Int {
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
        gzip.arguments = ["-9", "-n", "-c", path]
        let output = Pipe()
        gzip.standardOutput = output
        try gzip.run()
        let count = try output.fileHandleForReading.readToEnd()?.count ?? 0
        gzip.waitUntilExit()
        return count
    }

    /// The demo shop's page with and without the loader, by turns, on Chromium slowed down four times.
    private static func mainThread(_ figures: inout Figures) throws {
        let server = try ServerProcess()
        try server.waitUntilReady()
        let script = Process()
        script.executableURL = URL(
            fileURLWithPath: ProcessInfo.processInfo.environment["EARSHOT_BENCH_PYTHON"] ?? Program.root
                + "/.venv/bin/python")
        script.arguments = [
            Program.root + "/Benchmarks/web/main_thread.py", "http://127.0.0.1:\(server.port)",
            Scale.of("9", quick: "1"),
        ]
        let output = Pipe()
        script.standardOutput = output
        try script.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        script.waitUntilExit()
        guard script.terminationStatus == 0, let found = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        else {
            throw Failure("the browser gave no figures")
        }
        for (key, what) in [
            ("main_thread_ms", "ms of main thread at load that the loader adds, 4x slower CPU"),
            ("script_ms", "ms of it in scripts"),
            ("layout_ms", "ms of it in layout"), ("style_ms", "ms of it in style"),
            ("page_alone_ms", "ms that the page takes without it"),
        ] { if let value = found[key] as? Double { figures.set(key, value, what) } }
    }
}
