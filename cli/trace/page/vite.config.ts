import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// Bundles everything into one file: dist/index.html, which is committed as page.html.
export default defineConfig({
  plugins: [viteSingleFile()],
  build: { target: "es2022", modulePreload: false },
});
