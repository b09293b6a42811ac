import { describe, expect, it } from 'vitest';
import { missed, patience } from './race.ts';
import { publishAgainstPublish } from './publish-against-publish.ts';
import { startAgainstPublish } from './start-against-publish.ts';

describe('publish', patience, () => {
  it('pins a start that comes with it to one version, and its whole run to that (P14, P15)', async () =>
    expect(await missed(startAgainstPublish)).toEqual([]));

  it('numbers versions without a hole when several come together (P14, P15)', async () =>
    expect(await missed(publishAgainstPublish)).toEqual([]));
});
