/**
 * Where a canned reply's clip goes: the brand's clips, which belong to no conversation. A file of its own, because only
 * the settings record clips.
 */
import { UploadAPI } from "../../core/upload-api";

/** Uploads clips. */
export class ClipUploads extends UploadAPI {
  override async open(_: string, draft: string, mime: string): Promise<{ upload: string; received: number }> {
    return this.begin("/v1/clips", { draft }, mime);
  }
}
