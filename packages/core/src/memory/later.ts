/**
 * An asynchronous function whose module is loaded as it is first called: what few apps do, or what is done behind the
 * reply, costs no app's start anything.
 */
export const later =
  <Args extends unknown[], Result>(load: () => Promise<(...args: Args) => Promise<Result>>) =>
  async (...args: Args): Promise<Result> =>
    (await load())(...args);
