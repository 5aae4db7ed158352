/** Where a canned reply's clip goes: onto the brand's shelf, for no conversation. A file of its own, for only the settings record clips. */
import { UploadAPI } from "../core/upload-api";

export class ClipUploads extends UploadAPI {
  override async open(_: string, draft: string, mime: string): Promise<{ upload: string; received: number }> {
    return this.begin("/v1/clips", { draft }, mime);
  }
}
