import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { missed, patience } from './race.ts';
import { retentionAgainstResume } from './retention-against-resume.ts';

describe('retention', patience, () => {
  it('removes nothing that lives, and leaves nothing half, when a resume comes late (P2)', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    onTestFinished(() => store.close());
    expect(await missed(retentionAgainstResume(store))).toEqual([]);
  });
});
