/** What becomes of work, and how often everything else had its turn while it went on. */
export async function turnsOfOthers<Result>(work: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let turns = 0;
  let isOver = false;
  const others = (): void => {
    turns++;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const result = await work();
  isOver = true;
  return { result, turns };
}
