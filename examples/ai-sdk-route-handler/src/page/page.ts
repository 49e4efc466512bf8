import { join } from "node:path";
import { rolldown } from "rolldown";

const HTML = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>A chat with a memory</title></head>
  <body><main id="chat"></main><script type="module" src="/chat.js"></script></body>
</html>`;

/** What the browser asks for beside the route; `null` where there is nothing. The script is bundled as it is asked for. */
export async function page(path: string): Promise<{ type: string; body: string } | null> {
  if (path === "/") return { type: "text/html", body: HTML };
  if (path !== "/chat.js") return null;
  const bundle = await rolldown({
    input: join(import.meta.dirname, "chat.ts"),
    platform: "browser",
    // Directives for server components mean nothing in a page.
    logLevel: "silent",
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return { type: "text/javascript", body: output[0].code };
}
