import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

/** Where Chromium may be: what the environment says, else where Debian puts it. */
export const CHROMIUM = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find(
  (path) => path !== undefined && existsSync(path),
);

/** What a page did. */
export interface PageVisit {
  /** What it shows once it is done. */
  found: string;
  /** Errors and warnings of the page. */
  complaints: string[];
  /** Addresses outside the page's own origin that it asked for. */
  strangers: string[];
}

/** Opens a page in a real browser and waits for what it finds. */
export async function usePage(url: string, executablePath: string): Promise<PageVisit> {
  const profile = mkdtempSync(join(realpathSync(tmpdir()), "throughline-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    chromiumSandbox: false,
    args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"],
  });
  try {
    const page = await context.newPage();
    const visit: PageVisit = { found: "", complaints: [], strangers: [] };
    page.on("pageerror", (error) => visit.complaints.push(String(error)));
    page.on("console", (message) => {
      // zod asks once whether it may make functions, and does without; the policy of the page is heard to say no.
      const isAsking = /script-src/.test(message.text());
      if (["error", "warning"].includes(message.type()) && !isAsking) visit.complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith("data:")) visit.strangers.push(request.url());
    });
    await page.goto(url);
    visit.found = (await page.locator("#found:not(:empty)").textContent()) ?? "";
    return visit;
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}
