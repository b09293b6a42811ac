import { expect, it } from 'vitest';
import { runKills } from './kills.ts';
import { describeWithRestate } from './restate-program.ts';

describeWithRestate('an engine over Restate that is killed', (program) => {
  it('loses nothing, sends nothing under two keys, and puts what kills it in quarantine (P1, P3, P4, P17)', {
    timeout: 180_000,
  }, async () => {
    const { kills, findings } = await runKills({ program, kills: 6, users: 30 });
    expect(findings).toEqual([]);
    expect(kills).toEqual({ process: 3, server: 3 });
  });
});
