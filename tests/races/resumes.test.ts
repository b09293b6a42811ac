import { describe, expect, it } from 'vitest';
import { missed, patience } from './race.ts';
import { resumeAgainstResume } from './resume-against-resume.ts';
import { withLeases, withoutLeases } from './stores.ts';

describe('resume against resume', patience, () => {
  it('lets one count under oneTimeOnly, else each once, in two processes (P7)', async () =>
    expect(await missed(resumeAgainstResume(withLeases))).toEqual([]));

  it('does so where only conditional writes stand between the processes (P8)', async () =>
    expect(await missed(resumeAgainstResume(() => withoutLeases()))).toEqual([]));
});
