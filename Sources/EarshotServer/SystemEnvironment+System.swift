import EarshotCore
import EarshotModel
import Foundation

extension SystemEnvironment {
    /// The operating system's clock and random generator.
    static let system = SystemEnvironment(
        now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
        random: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        })
}
