import { useEffect, useState } from "react";
import { type BrandChoice, brandChoice } from "../../client/agent/sign-in-page/sign-in-page";
import { request } from "../app/agent-session";

/** The server's brands; `undefined` until it has answered. If it cannot be asked, there may be several. */
export function useBrandChoice(): BrandChoice | undefined {
  const [choice, setChoice] = useState<BrandChoice | undefined>();
  useEffect(() => {
    void brandChoice(request).then((answer) => setChoice(answer.ok ? answer.value : { brands: "several" }));
  }, []);
  return choice;
}
