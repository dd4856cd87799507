import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// Everything in one file: dist/index.html, which is kept as page.html.
export default defineConfig({
  plugins: [viteSingleFile()],
  build: { target: "es2022", modulePreload: false },
});
