import EarshotCore
import EarshotModel
import Foundation

/// What the operating system says about this process and its disks. The names that begin with `process_` are those that
/// Prometheus's own clients use, so that ready-made dashboards find them.
struct ProcessMetrics: Sendable {
    /// The volumes that fill up.
    enum Volume: String, MetricLabel {
        /// The volume of the database.
        case data
        /// The volume of the recordings; often the same.
        case media
    }

    /// The folder of the database.
    let data: String
    /// When the process started.
    let started: Timestamp

    var all: [any Metric] {
        [
            ReadMetric("process_cpu_seconds_total", "CPU time of the process.", kind: .counter) { Self.cpuSeconds },
            ReadMetric("process_resident_memory_bytes", "Memory of the process.") { Self.residentBytes },
            ReadMetric("process_open_fds", "Open file descriptors.") { Self.openDescriptors },
            ReadMetric("process_max_fds", "The most file descriptors that the process may open.") {
                Self.maximumDescriptors
            },
            ReadMetric("process_start_time_seconds", "When the process started, in seconds since 1970.") {
                [started] in Double(started.milliseconds) / 1000
            },
            ReadMetric("earshot_disk_free_bytes", "Space that the server may still use, by volume.", by: "volume") {
                [volumes = Self.volumes(data)] in
                volumes.compactMapValues { $0.read() }.mapValues { Double($0.f_bavail) * Double($0.f_frsize) }
            },
            ReadMetric("earshot_disk_bytes", "Size of the volume.", by: "volume") { [volumes = Self.volumes(data)] in
                volumes.compactMapValues { $0.read() }.mapValues { Double($0.f_blocks) * Double($0.f_frsize) }
            },
            ReadMetric(
                "earshot_backup_seconds",
                "When the last backup by earshot backup was complete, in seconds since 1970; 0 if there was none."
            ) { [data] in
                LastBackup(of: data).at.map { Double($0.milliseconds) / 1000 } ?? 0
            },
            BuildInformation(),
        ]
    }

    /// The version that runs, as a label: the one label whose value is not from an enum, because it is a constant.
    private struct BuildInformation: Metric {
        var family: MetricFamily {
            MetricFamily(
                name: "earshot_build_info", help: "The version that runs. The value is always 1.", kind: .gauge,
                samples: [.init(labels: [.init("version", EarshotVersion.current)], value: 1)])
        }
    }
}

extension ProcessMetrics {
    private static var cpuSeconds: Double? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    private static var residentBytes: Double? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return pages * Double(getpagesize())
    }

    private static var openDescriptors: Double? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count) }
    }

    private static var maximumDescriptors: Double? {
        let line = (try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8))?
            .split(separator: "\n").first { $0.hasPrefix("Max open files") }
        return line?.split(separator: " ").dropFirst(3).first.flatMap { Double($0) }
    }

    private static func volumes(_ data: String) -> [Volume: VolumeSpace] {
        [.data: VolumeSpace(of: data), .media: VolumeSpace(of: data + "/media")]
    }
}
