import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secret } from '../../../drivers/test/channels/providers.ts';
import { samples } from '../../../drivers/test/channels/delivery-samples.ts';
import { changes } from '../../../drivers/test/channels/json-changes.ts';
import { type ChannelsStage, channelsStage } from './stage.ts';

let stage: ChannelsStage;
beforeAll(async () => {
  stage = await channelsStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

describe.each(Object.entries(samples))('a signed delivery to a bot of %s with any part of it replaced', (kind, bodies) => {
  it('is processed, or refused as malformed: it is never a failure of the service', async () => {
    const changed = bodies.flatMap((body) => [...changes(body)].map(({ value }) => value));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: changed.length - 1 }), async (index) => {
        const { post, provider } = stage.line(kind);
        const body = JSON.stringify(changed[index] ?? null);
        const { status } = await post(body, await provider.sign(body, stage.rest.clock.now(), secret));
        // The token of Teams names the service of the activity: without one nothing is signed.
        expect(kind === 'teams' ? [200, 400, 401] : [200, 400]).toContain(status);
      }),
      { numRuns: 60 },
    );
  });
});
