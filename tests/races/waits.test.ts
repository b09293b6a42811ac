import { describe, expect, it, onTestFinished } from 'vitest';
import { missed, patience } from './race.ts';
import { replyAgainstPause } from './reply-against-pause.ts';
import { resumeAgainstCancel } from './resume-against-cancel.ts';
import { resumeAgainstPause } from './resume-against-pause.ts';
import { resumeAgainstTimer } from './resume-against-timer.ts';
import { interruptAgainstReply } from './interrupt-against-reply.ts';
import { windowAgainstMessage } from './window-against-message.ts';
import { childEndAgainstCancel } from './child-end-against-cancel.ts';
import { familyAgainstCancel } from './family-against-cancel.ts';
import { migrateAgainstCancel } from './migrate-against-cancel.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { retentionAgainstResume } from './retention-against-resume.ts';

describe('a wait', patience, () => {
  it('has one consequence when resume and timer come together (P7, P11)', async () => expect(await missed(resumeAgainstTimer)).toEqual([]));

  it('has no consequence after a cancel that comes with a resume (P7, P8)', async () =>
    expect(await missed(resumeAgainstCancel)).toEqual([]));

  it('accepts a resume that comes before it is committed, once (P7)', async () => expect(await missed(resumeAgainstPause)).toEqual([]));

  it('accepts a reply that comes before it is committed (P2, P9)', async () => expect(await missed(replyAgainstPause)).toEqual([]));
});

describe('a keyword that interrupts', patience, () => {
  it('beats the open question once, with its family, when replies, copies and a cancel come with it (P7, P10)', async () =>
    expect(await missed(interruptAgainstReply)).toEqual([]));
});

describe('a grouping window', patience, () => {
  it('has each message in one group when it closes as they come (P9)', async () => expect(await missed(windowAgainstMessage)).toEqual([]));
});

// The race of a campaign's cancel against its start is where campaigns are: packages/server/test/rest/campaigns-races.test.ts.
describe('a family of executions', patience, () => {
  it('agrees how it ended when the end of a child comes with a cancel (P18)', async () =>
    expect(await missed(childEndAgainstCancel)).toEqual([]));

  it('does nothing more once its eldest is cancelled (P18)', async () => expect(await missed(familyAgainstCancel)).toEqual([]));
});

describe('a migration', patience, () => {
  it('has one order with a resume, a cancel and retries (P37)', async () => expect(await missed(migrateAgainstCancel)).toEqual([]));
});

describe('retention', patience, () => {
  it('removes no open execution, and none partly, when a resume comes late (P2)', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    onTestFinished(() => store.close());
    expect(await missed(retentionAgainstResume(store))).toEqual([]);
  });
});
