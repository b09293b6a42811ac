import { describe, expect, it } from 'vitest';
import { missed, patience } from './race.ts';
import { duplicateAgainstOriginal } from './duplicate-against-original.ts';
import { leaseAgainstCommit } from './lease-against-commit.ts';

describe('two processes', patience, () => {
  it('have one consequence and one answer for all copies of a delivery (P10)', async () =>
    expect(await missed(duplicateAgainstOriginal)).toEqual([]));

  it('never both advance an execution when a lease runs out, and lose nothing (P3, P7, P8)', async () =>
    expect(await missed(leaseAgainstCommit)).toEqual([]));
});
