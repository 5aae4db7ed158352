import { Fragment, type ReactElement } from "react";
import { markedParts } from "./marks";

/** A text with the words of a search marked. */
export function Marked({ text, words }: { text: string; words: string | undefined }): ReactElement {
  return (
    <>
      {markedParts(text, words ?? "").map((part, index) =>
        part.isMarked
          ? <mark key={index} className="marked">{part.text}</mark>
          : <Fragment key={index}>{part.text}</Fragment>
      )}
    </>
  );
}
