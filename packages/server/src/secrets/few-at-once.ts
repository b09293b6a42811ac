/** Runs a task when it is its turn; `undefined` where too many wait already. */
type Turns = <Result>(task: () => Promise<Result>) => Promise<Result> | undefined;

/** Lets a few tasks run at once and some more wait, the one that came first first. */
export function fewAtOnce(mostRunning: number, mostWaiting: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  const next = (): void => {
    const turn = waiting.shift();
    if (turn === undefined) running -= 1;
    else turn();
  };
  return (task) => {
    if (running < mostRunning) {
      running += 1;
      return task().finally(next);
    }
    if (waiting.length === mostWaiting) return undefined;
    return new Promise<void>((resolve) => waiting.push(resolve)).then(task).finally(next);
  };
}
