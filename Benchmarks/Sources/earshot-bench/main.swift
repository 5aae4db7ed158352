import CLoad
import Foundation
import Glibc

cload_print_by_line()
signal(SIGPIPE, SIG_IGN)

private func main(_ arguments: [String]) throws -> Int32 {
    switch arguments.first {
    case nil:
        print("bin/bench NAME…, of: \(Benches.names)\nbin/bench gate | quick [NAME…]")
        return 2
    case FlushProbe.word?: FlushProbe.probe(arguments[1])
    case Upload.word?: try Upload.upload(port: UInt16(arguments[1]) ?? 0)
    case Recorders.word?: try Recorders.record(arguments)
    case "gate"?: return try Gate.run()
    case "quick"?:
        setenv(Scale.variable, "1", 1)
        cload_raise_descriptors()
        defer { Folders.removeAll() }
        return try Benches.quick(Array(arguments.dropFirst()))
    default:
        cload_raise_descriptors()
        defer { Folders.removeAll() }
        for name in arguments { try Benches.run(name).printJSON() }
    }
    return 0
}

do { exit(try main(Array(CommandLine.arguments.dropFirst()))) } catch {
    print("earshot-bench: \(error)")
    Folders.removeAll()
    exit(1)
}
