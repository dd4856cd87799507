import "./style.css";
import { App } from "./app";
import { readDocument } from "./document";
import { element } from "./elements";
import { State } from "./state";

const root = document.getElementById("app")!;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = (): void => void (document.documentElement.dataset.theme = prefersDark.matches ? "dark" : "light");
followScheme();
prefersDark.addEventListener("change", followScheme);
const data = document.getElementById("lockstep-data");

async function open(): Promise<void> {
  root.replaceChildren(element("p", { class: "opening" }, "Opening the run …"));
  const page = await readDocument(data?.textContent ?? "");
  data?.remove(); // frees megabytes that are no longer needed
  new App(root, new State(page));
  root.dataset.ready = "true";
}

open().catch((error: unknown) => {
  root.replaceChildren(element("p", { class: "opening", role: "alert" }, `The page cannot be shown: ${String(error)}`));
  throw error;
});
