/** The texts of a value that are embedded: of each path, or the whole value as JSON for `$`. Pure. */
export function textsAt(value: unknown, paths: readonly string[]): string[] {
  return paths.flatMap((path) => (path === "$" ? [JSON.stringify(value)] : follow([value], steps(path))));
}

/** `chapters[*].title` is `chapters`, `*`, `title`. */
const steps = (path: string): string[] => path.split(/[.[\]]/).filter((step) => step !== "" && step !== "$");

function follow(values: readonly unknown[], [step, ...rest]: readonly string[]): string[] {
  if (step === undefined) return values.flatMap(textOf);
  const next = values.flatMap((value) => {
    if (typeof value !== "object" || value === null) return [];
    if (step === "*") return Object.values(value);
    const member = Array.isArray(value)
      ? value.at(Number(step))
      : Object.hasOwn(value, step) && (value as { [key: string]: unknown })[step];
    return member === undefined || member === false ? [] : [member];
  });
  return follow(next, rest);
}

function textOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  return [typeof value === "object" ? JSON.stringify(value) : String(value)];
}
