import { connect, createServer, type Socket } from "node:net";

/** What a proxy does to a connection: each is asked with every run of bytes. */
export interface Cuts {
  /** How many bytes of what a client sends still go through before both ends are cut; all of them where it answers nothing. */
  fromClient?(bytes: Buffer): number | undefined;
  /** The same for what the server sends. */
  fromServer?(bytes: Buffer): number | undefined;
}

/** A TCP proxy in front of a server, which cuts connections where it is told to and may be led elsewhere. */
export interface Proxy {
  url: string;
  /** What connections are treated with from now on, each with one of its own; they are let through without. */
  cuts: (() => Cuts) | undefined;
  /** How many connections it cut. */
  count: number;
  /** Leads new connections to another server, and cuts those that are open unless they are to be kept. */
  leadTo(url: string, open?: "keep"): void;
  stop(): Promise<void>;
}

/** Starts a proxy before the server of a URL. */
export async function startProxy(serverUrl: string): Promise<Proxy> {
  const open = new Set<Socket>();
  let target = new URL(serverUrl);
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let made: (() => Cuts) | undefined;
    let cuts: Cuts = {};
    const current = () => {
      if (proxy.cuts !== made) cuts = proxy.cuts?.() ?? {};
      made = proxy.cuts;
      return cuts;
    };
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    const join = (from: Socket, to: Socket, side: keyof Cuts) => {
      open.add(from);
      from.setNoDelay(true);
      from.on("data", (bytes: Buffer) => {
        const left = current()[side]?.(bytes);
        if (left === undefined) return void to.write(bytes);
        proxy.count += 1;
        // What still goes through has to be there before the end is.
        if (left === 0) return cut();
        to.write(bytes.subarray(0, left), () => setImmediate(cut));
      });
      from.on("error", cut);
      from.on("close", () => {
        open.delete(from);
        cut();
      });
    };
    join(client, upstream, "fromClient");
    join(upstream, client, "fromServer");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  const proxy: Proxy = {
    url: url.href,
    cuts: undefined,
    count: 0,
    leadTo(to, kept) {
      target = new URL(to);
      if (kept === undefined) end();
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      end();
      await closed;
    },
  };
  return proxy;
}

/** Cuts after a number of bytes, of both directions together. */
export function cutAfter(bytes: number): Cuts {
  let left = bytes;
  const decide = (sent: Buffer) => {
    const before = left;
    left -= sent.length;
    return left > 0 ? undefined : Math.max(0, before);
  };
  return { fromClient: decide, fromServer: decide };
}

/** Cuts as a client sends a text: before the server has it, or once the server has answered it. */
export function cutAt(text: string, when: "before" | "after"): Cuts {
  let isSent = false;
  return {
    fromClient(bytes) {
      if (!bytes.includes(text)) return undefined;
      isSent = true;
      return when === "before" ? 0 : undefined;
    },
    fromServer: () => (isSent ? 0 : undefined),
  };
}
