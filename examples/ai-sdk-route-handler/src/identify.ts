/** Who is talking, as the memory takes it. */
export interface Person {
  subject: string;
  login: string;
}

/** Stands for the app's own sessions: who signed in with which cookie. */
const SESSIONS = new Map([
  ["ada-laptop", "ada"],
  ["bob-phone", "bob"],
]);

/** The person behind a request; `null` where nobody is signed in. The model never says who it is. */
export function identify(request: Request): Person | null {
  const [, session] = /(?:^|;\s*)session=([^;]+)/.exec(request.headers.get("cookie") ?? "") ?? [];
  const subject = session === undefined ? undefined : SESSIONS.get(session);
  return session === undefined || subject === undefined ? null : { subject, login: session };
}
