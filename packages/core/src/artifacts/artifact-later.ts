import type { Artifact } from "../contract/artifact.ts";

/** A handle on an artifact whose work is loaded, and the handle behind it made, as it is first called. */
export function artifactLater(id: string, make: () => Promise<Artifact>): Artifact {
  return {
    id,
    info: async (...given) => (await make()).info(...given),
    page: async (...given) => (await make()).page(...given),
    bytes: async (...given) => (await make()).bytes(...given),
    patch: async (...given) => (await make()).patch(...given),
    delete: async (...given) => (await make()).delete(...given),
  };
}
