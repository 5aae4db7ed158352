import EarshotCore
import EarshotModel
import Foundation

extension SystemEnvironment {
    /// The system's clock and its random generator.
    static let system = SystemEnvironment(
        now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
        random: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        })
}
