import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird
import NIOCore

/// A brand's logo, for the widget's header. Consumers see it before anybody knows who they are, so it is for anyone.
struct LogoRoute: Sendable {
    /// A version names one file for ever.
    private static let keepSeconds = 31_536_000

    let brand: BrandService

    var routes: [Route] {
        [Route(.get, "/embed/{account}/logo/{version}", .anyone(read))]
    }

    /// Where the logo of a brand is; `nil` where it has none.
    static func path(of account: Account) -> String? {
        account.logo.map { "/embed/\(account.id)/logo/\($0)" }
    }

    @Sendable private func read(_ request: CheckedRequest) async throws -> Response {
        guard let logo = try await brand.logo(of: request.identifier("account")),
            request.parameters.get("version") == logo.version
        else { throw Rejection.notFound }
        return Response(
            status: .ok,
            headers: [
                .contentType: "image/png", .cacheControl: "public, max-age=\(Self.keepSeconds), immutable",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: logo.bytes)))
    }
}
