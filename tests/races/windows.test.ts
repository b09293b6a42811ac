import { describe, expect, it } from 'vitest';
import { missed, patience } from './race.ts';
import { windowAgainstMessage } from './window-against-message.ts';

describe('a grouping window', patience, () => {
  it('has each message in one group when it closes as they come (P9)', async () => expect(await missed(windowAgainstMessage)).toEqual([]));
});
