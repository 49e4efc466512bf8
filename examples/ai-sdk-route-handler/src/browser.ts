import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";

/** Where Chromium may be: what the environment says, else where Debian puts it. */
const executables = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"];
const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-sync",
];

/** What the page showed, message by message. */
export interface Shown {
  before: string[];
  /** After the page was loaded again. */
  afterReload: string[];
}

/** Uses the chat page as a person does: a tool, another answer, a stop, a reload. `null` where there is no browser. */
export async function useInBrowser(origin: string, as: { chat: string; session: string }): Promise<Shown | null> {
  const executablePath = executables.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) return null;
  const profile = await mkdtemp(join(tmpdir(), "throughline-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    chromiumSandbox: false,
    args: flags,
  });
  try {
    await context.addCookies([{ name: "session", value: as.session, url: origin }]);
    const page = await context.newPage();
    await page.goto(`${origin}/?chat=${as.chat}`);
    await say(page, "How is the weather in Oslo?");
    await ready(page);
    await say(page, "Toss a coin.");
    await ready(page);
    const first = (await messages(page)).at(-1);
    await page.getByRole("button", { name: "Another answer" }).click();
    await page.waitForFunction(
      (old) => !["", old].includes(document.querySelector("li:last-child")?.textContent ?? ""),
      first,
    );
    await ready(page);
    await say(page, "Tell me a story.");
    await page.getByText("step5 ").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await ready(page);
    const before = await messages(page);
    // The run that was stopped is recorded a moment after the page has let it go.
    for (let tries = 0; tries < 50; tries++) {
      await page.reload();
      await page.locator("form").waitFor();
      if ((await messages(page)).length === before.length) break;
    }
    return { before, afterReload: await messages(page) };
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel("Say something").fill(words);
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator('li[data-role="user"]', { hasText: words }).waitFor();
}

const ready = (page: Page) => page.locator('#status[data-status="ready"]').waitFor();
const messages = (page: Page) => page.locator("li").allTextContents();
