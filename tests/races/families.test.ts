import { describe, expect, it } from 'vitest';
import { missed, patience } from './race.ts';
import { childEndAgainstCancel } from './child-end-against-cancel.ts';
import { familyAgainstCancel } from './family-against-cancel.ts';

// The race of a campaign's cancel against its start is where campaigns are: packages/server/test/rest/campaigns-races.test.ts.
describe('a family of executions', patience, () => {
  it('agrees how it ended when the end of a child comes with a cancel (P18)', async () =>
    expect(await missed(childEndAgainstCancel)).toEqual([]));

  it('does nothing more once its eldest is cancelled (P18)', async () => expect(await missed(familyAgainstCancel)).toEqual([]));
});
