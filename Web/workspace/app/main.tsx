import { createRoot } from "react-dom/client";
import { App } from "./app";
import { newPage, PageProvider } from "./page-context";
import { applyTheme } from "./preferences";

const page = newPage();
applyTheme(page.preferences.get().theme);
const root = document.getElementById("workspace");
if (root !== null) {
  createRoot(root).render(
    <PageProvider value={page}>
      <App />
    </PageProvider>,
  );
}
