import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotCore

@Suite struct `A logo` {
    @Test(arguments: [(16, 16), (512, 512), (16, 512)])
    func `is a PNG file of these sides, byte for byte`(width: UInt32, height: UInt32) throws {
        let file = SamplePNG.file(width: width, height: height)
        #expect(try BrandLogo(address: SamplePNG.address(file)).bytes == file)
    }

    @Test(arguments: [(15, 16), (16, 15), (513, 512), (512, 513), (0, 0), (.max, .max)])
    func `is refused where a side is too small or too large`(width: UInt32, height: UInt32) {
        let address = SamplePNG.address(SamplePNG.file(width: width, height: height))
        let refusal = #expect(throws: Rejection.self) { try BrandLogo(address: address) }
        #expect(refusal?.code == .outOfRange && refusal?.field == "logo")
    }

    @Test func `has as many bytes as it may, and not one more`() throws {
        for bytes in [BrandLogo.maximumBytes - 1, BrandLogo.maximumBytes] {
            let address = SamplePNG.address(SamplePNG.file(width: 128, height: 128, bytes: bytes))
            #expect(address.utf8.count <= BrandLogo.maximumText)
            #expect(try BrandLogo(address: address).bytes.count == bytes)
        }
        let over = SamplePNG.file(width: 128, height: 128, bytes: BrandLogo.maximumBytes + 1)
        let refusal = #expect(throws: Rejection.self) { try BrandLogo(address: SamplePNG.address(over)) }
        #expect(refusal?.limit == BrandLogo.maximumBytes)
    }

    @Test(arguments: [
        "", "https://shop.example/logo.png", "data:image/svg+xml;base64,PHN2Zy8+", "data:image/png;base64,",
        "data:image/png;base64,*", "data:image/png;base64,PHN2Zy8+",
    ])
    func `is nothing else`(address: String) {
        #expect(throws: Rejection.self) { try BrandLogo(address: address) }
    }

    @Test func `is not a file that ends in its header`() {
        for bytes in 0...24 {
            let start = Array(SamplePNG.file(width: 128, height: 128).prefix(bytes))
            #expect(throws: Rejection.self) { try BrandLogo(start) }
        }
    }

    @Test func `has another version where one byte differs`() throws {
        let (one, other) = (SamplePNG.file(width: 64, height: 64), SamplePNG.file(width: 64, height: 65))
        #expect(try BrandLogo(one).version == BrandLogo(one).version)
        #expect(try BrandLogo(one).version != BrandLogo(other).version)
    }
}
