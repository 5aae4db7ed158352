import Testing

@testable import EarshotGateway

@Suite struct `The open files of a process` {
    @Test(arguments: [256, 300, 512, 1_024, 4_096, 20_000, 65_536, 1_000_000])
    func `are never promised twice`(limit: Int) throws {
        for workers in [10, 168, 328, 10_000] {
            let budget = try DescriptorBudget(limit: limit, workers: workers)
            #expect(budget.connections >= 64 && budget.workers >= 10)
            #expect(budget.workers <= workers && budget.connections <= DescriptorBudget.mostConnections)
            // What is left over is for the runtime, the database and the recordings.
            let left = limit - budget.connections - 2 * budget.workers
            #expect(left >= 96 + limit / 10)
        }
    }

    @Test func `go to connections up to their limit`() throws {
        #expect(try DescriptorBudget(limit: 300, workers: 328).connections == 100)
        #expect(try DescriptorBudget(limit: 300, workers: 328).workers == 37)
        #expect(try DescriptorBudget(limit: 1_024, workers: 328).connections == 570)
        #expect(try DescriptorBudget(limit: 20_000, workers: 328).connections == DescriptorBudget.mostConnections)
        #expect(try DescriptorBudget(limit: 20_000, workers: 328).workers == 328)
    }

    @Test func `must be enough to serve anyone`() throws {
        #expect(throws: GatewayFault.self) { try DescriptorBudget(limit: 255, workers: 10) }
        #expect(throws: GatewayFault.self) { try DescriptorBudget(limit: 0, workers: 10) }
        _ = try DescriptorBudget(limit: 256, workers: 10)
    }
}
