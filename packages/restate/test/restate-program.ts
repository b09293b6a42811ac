import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';

const { platform, arch } = process;
const inBench = join(import.meta.dirname, `../../../bench/node_modules/@restatedev/restate-server-${platform}-${arch}/bin/restate-server`);

/** The Restate server of `HILO_RESTATE_SERVER`, else the one that `npm ci --prefix bench` brings; `undefined` where none is. */
const restateProgram: string | undefined = process.env['HILO_RESTATE_SERVER'] ?? (existsSync(inBench) ? inBench : undefined);

/** Tests that need a Restate server; without one they are counted as skipped, and their title says why. */
export function describeWithRestate(name: string, tests: (program: string) => void): void {
  const why = restateProgram === undefined ? ' (skipped: no Restate server; set HILO_RESTATE_SERVER, or run npm ci --prefix bench)' : '';
  describe.skipIf(restateProgram === undefined)(`${name}${why}`, () => {
    tests(restateProgram ?? '');
  });
}
