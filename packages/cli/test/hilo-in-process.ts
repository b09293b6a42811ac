import { PassThrough } from 'node:stream';
import { vi } from 'vitest';
import { runProgram } from '../src/program.ts';
import { type Ended, type HiloOptions, root } from '../../server/test/hilo-process.ts';

interface HereOptions extends HiloOptions {
  /** Called after all output so far: the input stays open until it returns true. It ends at once when left out. */
  readonly endsWhen?: (stdout: string) => boolean;
}

/**
 * Runs the command in this process, which takes a tenth of the time of a new one: for commands that do not serve. One at a time, since
 * it uses this process's streams, folder and exit code. Signals need a process of their own.
 */
export async function hiloHere(args: readonly string[], { input = '', cwd = root, env = {}, endsWhen }: HereOptions = {}): Promise<Ended> {
  const [stdin, printed, before] = [new PassThrough(), { stdout: '', stderr: '' }, process.cwd()];
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      if (endsWhen?.(printed.stdout) === true) stdin.end();
      return true;
    }),
  );
  const ownStdin = Object.getOwnPropertyDescriptor(process, 'stdin');
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  for (const [name, value] of Object.entries({ NO_COLOR: '1', ...env })) vi.stubEnv(name, value);
  process.chdir(cwd);
  try {
    stdin.write(input);
    if (endsWhen === undefined) stdin.end();
    const code = (await runProgram(args)) ?? process.exitCode ?? 0;
    return { code: Number(code), ...printed };
  } finally {
    process.exitCode = undefined; // a command sets it for its findings
    process.chdir(before);
    vi.unstubAllEnvs();
    if (ownStdin !== undefined) Object.defineProperty(process, 'stdin', ownStdin);
    for (const spy of spies) spy.mockRestore();
  }
}
