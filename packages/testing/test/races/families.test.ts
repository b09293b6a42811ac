import { describe, expect, it } from 'vitest';
import { missed, patience } from './race.ts';
import { childEndAgainstCancel } from './child-end-against-cancel.ts';
import { familyAgainstCancel } from './family-against-cancel.ts';

// The twelfth race, cancel of a campaign against its start, is not here: there are no campaigns yet. Families stand in for it.
describe('a family of executions', patience, () => {
  it('agrees how it ended when the end of a child comes with a cancel (P18)', async () =>
    expect(await missed(childEndAgainstCancel)).toEqual([]));

  it('does nothing more once its eldest is cancelled (P18)', async () => expect(await missed(familyAgainstCancel)).toEqual([]));
});
