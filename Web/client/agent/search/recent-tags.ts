/** The tags that the brand's people used last. */
import { call, type Fetch } from "../../core/api";
import { list, string } from "../../core/parse";

/** The tags of the newest conversations that the person sees, the one used last first. */
export async function recentTags(fetch: Fetch): Promise<readonly string[]> {
  return list((await call(fetch, "GET", "/v1/tags", {}))["tags"], string);
}
