import { describe } from 'vitest';
import { howToGetRestate, restateProgram } from './restate-path.ts';

/** Tests that need a Restate server; without one they are skipped, with the reason in their title. */
export function describeWithRestate(name: string, tests: (program: string) => void): void {
  const why = restateProgram === undefined ? ` (skipped: no Restate server; ${howToGetRestate})` : '';
  describe.skipIf(restateProgram === undefined)(`${name}${why}`, () => {
    tests(restateProgram ?? '');
  });
}
