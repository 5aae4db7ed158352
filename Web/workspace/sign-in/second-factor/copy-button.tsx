import { type ReactElement, useState } from "react";
import { signInTexts } from "../../i18n/sign-in-texts";

const text = signInTexts.secondFactor;

/** Copies a text, and says whether that worked. */
export function CopyButton({ label, value }: { label: string; value: string }): ReactElement {
  const [result, setResult] = useState("");
  const copy = (): void => {
    const done = navigator.clipboard?.writeText(value) ?? Promise.reject(new Error("no clipboard"));
    done.then(() => setResult(text.copied), () => setResult(text.copyFailed));
  };
  return (
    <>
      <button type="button" className="button" onClick={copy}>{label}</button>
      <span className="hint" role="status">{result}</span>
    </>
  );
}
