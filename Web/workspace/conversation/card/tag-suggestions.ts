import { useEffect, useState } from "react";
import { recentTags } from "../../../client/agent/search/recent-tags";
import { request } from "../../app/agent-session";
import { useCentre } from "../../app/session-context";

/** The tags to suggest: those of the settings, then those that people typed lately. */
export function useTagSuggestions(): readonly string[] {
  const { centre } = useCentre();
  const [recent, setRecent] = useState<readonly string[]>([]);
  useEffect(() => {
    let gone = false;
    // Without them the tags of the settings are suggested.
    recentTags(request).then((tags) => gone || setRecent(tags), () => {});
    return () => {
      gone = true;
    };
  }, []);
  return [...new Set([...centre?.tags ?? [], ...recent])];
}
