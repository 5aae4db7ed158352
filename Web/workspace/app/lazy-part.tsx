import { useEffect, useState, type ComponentType, type ReactElement } from "react";
import { strings } from "../i18n/strings";

/**
 * A part of the workspace that is fetched when it is first wanted, with its sheet of styles. Until it is here nothing is shown; where it cannot be
 * fetched, that is said, with a way to try again.
 *
 * Every such part imports app.tsx: esbuild cuts what several parts share into pieces by who shares it, and many small pieces weigh more than one. So
 * everything that the page has from its start is shared by all of them, and is one piece.
 */
export function later<Props extends object>(sheet: string, load: () => Promise<{ default: ComponentType<Props> }>): Later<Props> {
  let made: ComponentType<Props> | undefined;
  const fetched = async (): Promise<void> => {
    const [part] = await Promise.all([load(), style(sheet)]);
    made = part.default;
  };
  const Part = (props: Props): ReactElement | null => {
    const [state, setState] = useState<"coming" | "here" | "failed">(made === undefined ? "coming" : "here");
    useEffect(() => {
      if (state === "coming") fetched().then(() => setState("here"), () => setState("failed"));
    }, [state]);
    if (made !== undefined) {
      const Made = made;
      return <Made {...props} />;
    }
    return state === "failed" ? <Failed again={() => setState("coming")} /> : null;
  };
  return Object.assign(Part, { prepare: () => void fetched().catch(() => {}) });
}

export type Later<Props> = ((props: Props) => ReactElement | null) & {
  /** Fetches it before it is wanted, so that it opens at once. */
  readonly prepare: () => void;
};

function Failed({ again }: { again: () => void }): ReactElement {
  return (
    <div className="later-failed" role="alert">
      <span>{strings.later.failed}</span>
      <button className="button" onClick={again}>{strings.later.again}</button>
    </div>
  );
}

/** The part with the dialogs and the search. */
export const parts = (): Promise<typeof import("./later-parts")> => import("./later-parts");

const sheets = new Map<string, Promise<void>>();

/** Resolves once the sheet is in force; a sheet that cannot be fetched is asked for again the next time. */
export function style(name: string): Promise<void> {
  const known = sheets.get(name);
  if (known !== undefined) return known;
  const link = document.createElement("link");
  const here = new Promise<void>((done, failed) => {
    link.onload = () => done();
    link.onerror = () => {
      link.remove();
      sheets.delete(name);
      failed(new Error(name));
    };
  });
  link.rel = "stylesheet";
  link.href = `${name}.css`;
  sheets.set(name, here);
  document.head.append(link);
  return here;
}
