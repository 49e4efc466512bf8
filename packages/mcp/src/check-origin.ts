import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { rejection } from "./rejection.ts";

/** Which names a server answers to, and which pages may call it: host names without ports. */
export interface AllowedNames {
  /** @default localhost, 127.0.0.1 and [::1] */
  hosts?: readonly string[];
  /** What browsers may send as `Origin`. Other clients send none. @default `hosts` */
  origins?: readonly string[];
}

/** A page of somebody else's can have its name lead to this machine; it can't change what it is called. */
export function checkOrigin(request: Request, { hosts = localhostAllowedHostnames(), origins = hosts }: AllowedNames) {
  const host = validateHostHeader(request.headers.get("host") ?? new URL(request.url).host, [...hosts]);
  if (!host.ok) return rejection(403, "The server isn't called so; name its host in `hosts`.");
  const origin = validateOriginHeader(request.headers.get("origin"), [...origins]);
  if (!origin.ok) return rejection(403, "Pages of this origin may not call; name its host in `origins`.");
  return null;
}
