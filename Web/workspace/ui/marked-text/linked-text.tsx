import { Fragment, type ReactElement } from "react";
import { splitLinks } from "../../../client/conversation/links";
import { Marked } from "./marked";

/** A text with its links, by the rules of the widget, and with the words of a search marked. */
export default function LinkedText({ text, words }: { text: string; words?: string | undefined }): ReactElement {
  return (
    <>
      {splitLinks(text).map(({ text: part, href, host }, index) =>
        href === undefined
          ? <Fragment key={index}><Marked text={part} words={words} /></Fragment>
          : (
            // Isolated, so that no character before it turns its letters around.
            <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow ugc" dir="ltr">
              <Marked text={part} words={words} />
              {host !== undefined && ` (${host})`}
            </a>
          )
      )}
    </>
  );
}
