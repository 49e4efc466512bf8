import { join } from "node:path";

/** Where a person's lasting data goes on each system. Pure. */
export function dataFile(options: { platform: string; home: string; env: Record<string, string | undefined> }): string {
  const { platform, home, env } = options;
  const folder =
    platform === "win32"
      ? env.LOCALAPPDATA || join(home, "AppData", "Local")
      : platform === "darwin"
        ? join(home, "Library", "Application Support")
        : env.XDG_DATA_HOME || join(home, ".local", "share");
  return join(folder, "throughline", "chat.db");
}
