import { createRoot } from "react-dom/client";
import { App } from "./app";
import { applyTheme, preferences } from "./preferences";

applyTheme(preferences().theme);
const root = document.getElementById("workspace");
if (root !== null) createRoot(root).render(<App />);
