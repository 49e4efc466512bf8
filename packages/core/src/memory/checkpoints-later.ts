import type { Checkpoints } from "../contract/checkpoints.ts";
import type { Engine } from "./engine.ts";

/** The checkpoints of one memory's conversations; one host has them, so what they do is loaded as it is first called. */
export function checkpointsLater(engine: Engine): Checkpoints {
  let made: Checkpoints | undefined;
  const make = async (): Promise<Checkpoints> => {
    const { createCheckpoints } = await import("./checkpoints.ts");
    made ??= createCheckpoints(engine);
    return made;
  };
  return {
    put: async (...given) => (await make()).put(...given),
    putWrites: async (...given) => (await make()).putWrites(...given),
    read: async (...given) => (await make()).read(...given),
    list: async (...given) => (await make()).list(...given),
    history: async (...given) => (await make()).history(...given),
    threads: async (...given) => (await make()).threads(...given),
    copy: async (...given) => (await make()).copy(...given),
    remove: async (...given) => (await make()).remove(...given),
  };
}
