/** The links of a message. Loads with the first message that may have one. */
import { splitLinks } from "../../client/conversation/links";
import { h } from "../../voice/ui/dom";

/** A text with its links as elements. Each is isolated, so that no character before it turns its letters around. */
export function linked(text: string): (Node | string)[] {
  return splitLinks(text).map((part) =>
    part.href === undefined ? part.text : h(
      "a",
      { href: part.href, target: "_blank", rel: "noopener noreferrer nofollow ugc", dir: "ltr" },
      part.text,
      part.host !== undefined && ` (${part.host})`,
    )
  );
}
