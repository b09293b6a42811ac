import { describe, expect, it } from 'vitest';
import { missed, patience } from './race.ts';
import { replyAgainstPause } from './reply-against-pause.ts';
import { resumeAgainstCancel } from './resume-against-cancel.ts';
import { resumeAgainstPause } from './resume-against-pause.ts';
import { resumeAgainstTimer } from './resume-against-timer.ts';

describe('a wait', patience, () => {
  it('has one consequence when resume and timer come together (P7, P11)', async () => expect(await missed(resumeAgainstTimer)).toEqual([]));

  it('leads to nothing after a cancel that came with a resume (P7, P8)', async () => expect(await missed(resumeAgainstCancel)).toEqual([]));

  it('takes a resume that comes before it is committed, once (P7)', async () => expect(await missed(resumeAgainstPause)).toEqual([]));

  it('takes a reply that comes before it is committed (P2, P9)', async () => expect(await missed(replyAgainstPause)).toEqual([]));
});
