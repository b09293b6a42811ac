import { describe } from 'vitest';
import { restateProgram } from './restate-path.ts';

/** Tests that need a Restate server; without one they are skipped, with the reason in their title. */
export function describeWithRestate(name: string, tests: (program: string) => void): void {
  const why = restateProgram === undefined ? ' (skipped: no Restate server; set HILO_RESTATE_SERVER, or run npm ci --prefix bench)' : '';
  describe.skipIf(restateProgram === undefined)(`${name}${why}`, () => {
    tests(restateProgram ?? '');
  });
}
