import Foundation

/// The launcher's colour and the colour of its icon, made from a brand's one colour so that the icon can be seen (WCAG
/// 2.2 AA). The same rule as in Web/tokens/brand.ts: a test of both sides reads Tests/Fixtures/brand-colors.json.
public struct BrandColors: Hashable, Sendable {
    /// The brand's colour, darker or lighter where text on it could not be read: `#rrggbb`.
    public let ground: String
    /// Text and icons on it.
    public let ink: String

    /// The colours of a brand.
    /// - Parameter color: `#rrggbb`. `nil` for any other text.
    public init?(_ color: String) {
        guard let asked = RGB(color) else { return nil }
        let onWhite = asked.contrast(to: .white)
        let ink = onWhite >= Self.leastContrast || onWhite >= asked.contrast(to: .black) ? RGB.white : .black
        (ground, self.ink) = (asked.readable(on: ink).text, ink.text)
    }

    /// The least contrast of text.
    private static let leastContrast = 4.5
    /// Colours are tried in such steps towards black or white.
    private static let step = 0.04

    private struct RGB {
        let parts: [Double]

        static let white = RGB(parts: [255, 255, 255])
        static let black = RGB(parts: [18, 22, 20])

        init(parts: [Double]) { self.parts = parts }

        init?(_ text: String) {
            guard text.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil, let value = Int(text.dropFirst(), radix: 16) else {
                return nil
            }
            parts = [16, 8, 0].map { Double((value >> $0) & 255) }
        }

        var text: String {
            "#"
                + parts.map { part in
                    let digits = String(Int(part.rounded()), radix: 16)
                    return digits.count == 1 ? "0" + digits : digits
                }.joined()
        }

        private var luminance: Double {
            let linear = parts.map { part in
                let value = part / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        }

        func contrast(to other: RGB) -> Double {
            let (one, two) = (luminance, other.luminance)
            return (max(one, two) + 0.05) / (min(one, two) + 0.05)
        }

        private func mixed(with other: RGB, _ share: Double) -> RGB {
            RGB(parts: zip(parts, other.parts).map { $0 + ($1 - $0) * share })
        }

        /// The nearest colour on which `ink` can be read: towards black for a white ink, and towards white for a dark
        /// one; brighter first, so that the hue stays, and only then paler.
        func readable(on ink: RGB) -> RGB {
            let isDarkened = ink.parts == RGB.white.parts
            var share = 0.0
            while share < 1 {
                let tried =
                    isDarkened
                    ? mixed(with: .black, share)
                    : RGB(parts: parts.map { min(255, $0 * (1 + 2 * share)) }).mixed(with: .white, share * share)
                if tried.contrast(to: ink) >= BrandColors.leastContrast { return tried }
                share += BrandColors.step
            }
            return isDarkened ? .black : .white
        }
    }
}
