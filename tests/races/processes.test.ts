import { describe, expect, it } from 'vitest';
import { missed, patience } from './race.ts';
import { duplicateAgainstOriginal } from './duplicate-against-original.ts';
import { leaseAgainstCommit } from './lease-against-commit.ts';
import { resumeAgainstResume } from './resume-against-resume.ts';
import { withLeases, withoutLeases } from './stores.ts';
import { publishAgainstPublish } from './publish-against-publish.ts';
import { startAgainstPublish } from './start-against-publish.ts';

describe('two processes', patience, () => {
  it('have one consequence and one answer for all copies of a delivery (P10)', async () =>
    expect(await missed(duplicateAgainstOriginal)).toEqual([]));

  it('never both advance an execution when a lease runs out, and lose nothing (P3, P7, P8)', async () =>
    expect(await missed(leaseAgainstCommit)).toEqual([]));
});

describe('resume against resume', patience, () => {
  it('lets one count under oneTimeOnly, else each once, in two processes (P7)', async () =>
    expect(await missed(resumeAgainstResume(withLeases))).toEqual([]));

  it('does so where only conditional writes stand between the processes (P8)', async () =>
    expect(await missed(resumeAgainstResume(() => withoutLeases()))).toEqual([]));
});

describe('publish', patience, () => {
  it('pins a start that comes with it to one version, and its whole run to that (P14, P15)', async () =>
    expect(await missed(startAgainstPublish)).toEqual([]));

  it('numbers versions without a hole when several come together (P14, P15)', async () =>
    expect(await missed(publishAgainstPublish)).toEqual([]));
});
