import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samples } from '../../../channels/test/delivery-samples.ts';
import { changes } from '../../../channels/test/json-changes.ts';
import { secret } from '../../../channels/test/providers.ts';
import { type ChannelsStage, channelsStage, type Line } from './stage.ts';

let stage: ChannelsStage;
beforeAll(async () => {
  stage = await channelsStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** A sample whose files and services are at the double: nothing beyond this machine is called. */
const withinReach = (sample: JsonObject, { double }: Line): JsonObject =>
  JSON.parse(JSON.stringify(sample).replaceAll(/https?:\/\/[^/"\\ ]+/g, double.url)) as JsonObject;

describe.each(Object.entries(samples))('a signed delivery to a bot of %s with any part of it replaced', (kind, bodies) => {
  it('is processed, or refused as malformed: it is never a failure of the service', async () => {
    const line = stage.line(kind);
    const changed = bodies.flatMap((sample) => [...changes(withinReach(sample, line))].map(({ value = null }) => value));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...changed), async (sent) => {
        const body = JSON.stringify(sent);
        const { status } = await line.post(body, await line.provider.sign(body, stage.rest.clock.now(), secret));
        // The token of Teams names the service of the activity: without one nothing is signed.
        expect(kind === 'teams' ? [200, 400, 401] : [200, 400]).toContain(status);
      }),
      { numRuns: 60 },
    );
  });
});
