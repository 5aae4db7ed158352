import CLoad
import Foundation
import Glibc

extension ServerProcess {
    /// CPU time of all its threads, in nanoseconds.
    var cpu: Int64 { cload_cpu(process) }

    /// Proportional set size, in KiB: shared pages count by their share.
    var pss: Double { Self.rollup(process, "Pss:") }
    var rss: Double { Self.rollup(process, "Rss:") }

    /// The bytes and calls that it has written so far, to files and sockets, and the bytes of pages of files that it
    /// made the kernel write: counts that noise does not change.
    var written: (bytes: Double, calls: Double, disk: Double) {
        let text = (try? String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8)) ?? ""
        func value(_ field: String) -> Double {
            text.split(separator: "\n").first { $0.hasPrefix(field) }.flatMap { Double($0.dropFirst(field.count)) }
                ?? .nan
        }
        return (value("wchar: "), value("syscw: "), value("write_bytes: "))
    }

    /// PSS of its children (media workers), in KiB.
    var childrenPss: Double { children.reduce(0) { $0 + Self.rollup($1, "Pss:") } }

    /// CPU time of its media workers, in nanoseconds: those that are gone, to the hundredth of a second, and those that
    /// live.
    var childrenCPU: Int64 {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        // Behind the name, which may hold anything: cutime and cstime are the 14th and 15th.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        let ticks = fields.count > 15 ? (Int64(fields[14]) ?? 0) + (Int64(fields[15]) ?? 0) : 0
        return ticks * nanosecondsPerSecond / Int64(sysconf(Int32(_SC_CLK_TCK)))
            + children.reduce(0) { $0 + max(0, cload_cpu($1)) }
    }

    private var children: [pid_t] {
        let path = "/proc/\(process)/task/\(process)/children"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let lists = threads.map { "/proc/\(process)/task/\($0)/children" } + (threads.isEmpty ? [path] : [])
        return lists.flatMap {
            ((try? String(contentsOfFile: $0, encoding: .utf8)) ?? "").split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// CPU time by thread name, in nanoseconds: where to look first.
    var cpuByThread: [String: Int64] {
        var sums: [String: Int64] = [:]
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? [] {
            let folder = "/proc/\(process)/task/\(thread)"
            guard let name = try? String(contentsOfFile: folder + "/comm", encoding: .utf8),
                let times = try? String(contentsOfFile: folder + "/schedstat", encoding: .utf8),
                let time = times.split(separator: " ").first
            else { continue }
            sums[name.trimmingCharacters(in: .whitespacesAndNewlines), default: 0] += Int64(time) ?? 0
        }
        return sums
    }

    private static func rollup(_ process: pid_t, _ field: String) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) }) else { return .nan }
        return Double(line.split(separator: " ")[1]) ?? .nan
    }
}
