import CLoad
import Foundation
import Glibc

cload_print_by_line()
signal(SIGPIPE, SIG_IGN)

/// One measurement by its name.
private func run(_ name: String) throws -> Figures {
    switch name {
    case "messages": try MessagesBench.run()
    case "connections": try ConnectionsBench.run()
    case "start": try StartBench.run()
    case "wire": try WireBench.run()
    case "web": try WebBench.run()
    case "send-to-playable": try SendToPlayableBench.run()
    case "note-cost": try NoteCostBench.run()
    case "recorders": try RecordersBench.run()
    case "routing": try RoutingBench.run()
    case "search": try SearchBench.run()
    case "slow-disk": try SlowDiskBench.run()
    case "history": try HistoryBench.run()
    case "soak": try SoakBench.run()
    default:
        throw Failure(
            "no such bench: \(name). There are: messages connections start wire web send-to-playable note-cost "
                + "recorders routing search slow-disk history soak, and gate"
        )
    }
}

private func main(_ arguments: [String]) throws -> Int32 {
    switch arguments.first {
    case nil:
        print(
            "bin/bench messages | connections | start | wire | web | send-to-playable | note-cost | recorders | "
                + "routing | search | slow-disk | history | soak | gate"
        )
        return 2
    case FlushProbe.word?: FlushProbe.probe(arguments[1])
    case Upload.word?: try Upload.upload(port: UInt16(arguments[1]) ?? 0)
    case Recorders.word?: try Recorders.record(arguments)
    case "gate"?: return try Gate.run()
    default:
        cload_raise_descriptors()
        defer { Folders.removeAll() }
        for name in arguments { try run(name).printJSON() }
    }
    return 0
}

do { exit(try main(Array(CommandLine.arguments.dropFirst()))) } catch {
    print("earshot-bench: \(error)")
    Folders.removeAll()
    exit(1)
}
