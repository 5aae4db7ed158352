public import EarshotCore
public import EarshotModel
import Foundation

extension StoredEvent {
    /// The event that the bytes say.
    public func decoded() throws -> Event {
        try JSONDecoder().decode(Event.self, from: Data(encoded))
    }
}
