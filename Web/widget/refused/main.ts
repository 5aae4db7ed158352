/**
 * The page that the server sends instead of the widget to a page that may not embed it. It says so to the page around,
 * whose console is read by the person who built it, and can be closed.
 */
import { findHost } from "../frame/host";

async function main(): Promise<void> {
  const asked = new URLSearchParams(location.hash.slice(1));
  const theme = asked.get("theme");
  if (theme) document.documentElement.dataset["theme"] = theme;
  document.documentElement.dir = asked.get("dir") ?? "";
  const host = await findHost({ opened: () => {} });
  host.tell({ error: document.getElementById("sentence")?.textContent ?? "" });
  const closer = document.querySelector<HTMLElement>(".closer");
  if (!host.port || !closer) return;
  closer.hidden = false;
  closer.addEventListener("click", () => host.tell({ close: true }));
  addEventListener("keydown", ({ key }) => key === "Escape" && host.tell({ close: true }));
}

void main();
