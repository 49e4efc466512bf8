import { defineConfig } from "vite";

/** One app, built three ways: for a page, for a worker, and for a server that has no node_modules. */
export default defineConfig(({ mode }) => {
  if (mode === "page") return { build: { outDir: "dist-page", sourcemap: false } };
  const target = mode === "worker" ? "webworker" : "node";
  return {
    ssr: { target, noExternal: true },
    build: { ssr: `src/${mode}.js`, outDir: `dist-${mode}`, rolldownOptions: { output: { codeSplitting: false } } },
  };
});
