// The driver of `code` nodes in simulations.
import { type Driver, fits, Json } from '@hilo/engine/contract';
import type { runCode } from '@hilo/nodes/effects';
import { createSandbox } from '@hilo/sandbox';

type Perform = Driver<typeof runCode>;
type Run = Parameters<Perform>[0];
type Result = Awaited<ReturnType<Perform>>;

const runInSandbox = createSandbox();

/**
 * Runs code in the service's sandbox, but in this process: the author of a simulated canvas is trusted with this thread. Runs are
 * sequential, in the order of the calls, so that a script always gives the same transcript.
 */
export function createCodeRunner(): (run: Run) => Promise<Result | undefined> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(() => resultOf(run));
    last = result;
    return result;
  };
}

/** The result of a run; `undefined` on a platform without WebAssembly, which a page may forbid. */
async function resultOf({ input, ...run }: Run): Promise<Result | undefined> {
  if (!(await canRun())) return undefined;
  try {
    const answer = await runInSandbox({ ...run, input: JSON.stringify(input) });
    if (answer.kind === 'failed') return answer;
    const value = Json.parse(JSON.parse(answer.text));
    if (fits(value)) return { kind: 'returned', value };
    return { kind: 'failed', reason: 'result', message: 'The code returned a value that is too deep, or has too many keys' };
  } catch (error) {
    return { kind: 'failed', reason: 'broken', message: `The code broke its sandbox: ${String(error).slice(0, 200)}` };
  }
}

let probe: Promise<boolean> | undefined;

/** Tried once: the sandbox is the same for all simulations. */
const canRun = (): Promise<boolean> =>
  (probe ??= runInSandbox({ source: 'return 1', input: 'null', nowMs: 0, seed: 0, timeoutMs: 10_000, memoryMb: 16 }).then(
    ({ kind }) => kind === 'returned',
    () => false,
  ));
