import EarshotStorage
import EarshotTestKit
import Foundation
import Testing

/// The one test that every change of state must pass.
@Suite struct `Whatever gets lost, repeated or reordered` {
    static let worlds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["EARSHOT_SEED"].flatMap(UInt64.init) { return [seed] }
        let count = environment["EARSHOT_WORLDS"].flatMap(Int.init) ?? 8
        return (0..<count).map { _ in UInt64.random(in: 1...999_999_999) }
    }()

    /// The seed stands in the test's name. `EARSHOT_SEED=n` runs that one again, `EARSHOT_WORLDS=n` more of them.
    @Test(arguments: worlds)
    func `everyone ends up with the server's view for their role`(seed: UInt64) async throws {
        print("EARSHOT_SEED=\(seed)")
        var world = try World(seed: seed)
        for _ in 0..<600 { try await world.step() }
        try await world.settle()
        try await world.check()
        #expect(world.said.count > 50, "something was said")
        #expect(world.privates > 0, "and something that no consumer may see")
        try await world.restart()
        for index in world.ends.indices { try await world.connect(index) }
        try await world.settle()
        try await world.check()
        try world.store.close()
    }
}
