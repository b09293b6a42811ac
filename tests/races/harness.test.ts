import { createMemoryStore } from '@hilo/engine';
import type { ExecutionStore } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyOf } from './race.ts';
import { resumeAgainstResume } from './resume-against-resume.ts';
import { withoutLeases } from './stores.ts';

/** Writes without checking the revision: a writer with an outdated read undoes another's write. */
function unconditional(): ExecutionStore {
  const store = createMemoryStore();
  return {
    ...store,
    async commit(commit) {
      const saves = [];
      for (const record of commit.saves) {
        const { revision = 0 } = (await store.load(record.companyId, record.executionId)) ?? {};
        saves.push({ ...record, revision: revision + 1 });
      }
      return store.commit({ ...commit, saves });
    },
  };
}

describe('a race', () => {
  it('rejects a store that writes without looking at the revision, within a few schedules', async () => {
    const { failed } = await fc.check(propertyOf(resumeAgainstResume(() => withoutLeases(unconditional()))), { numRuns: 50 });
    expect(failed).toBe(true);
  });
});
