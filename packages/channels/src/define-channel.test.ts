import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as old } from 'zod/v3';
import { defineChannel } from './channel-adapter.ts';

/** A channel with a config as a host in JavaScript gives it, whom no compiler stops. */
const channelWith = (config: unknown) =>
  defineChannel({
    kind: 'sms',
    channels: ['custom'],
    config: config as z.ZodObject,
    secrets: [],
    send: () => ({ kind: 'sent' }),
    signatureHeader: 'x-signature',
    authenticate: () => true,
    receive: () => ({ kind: 'events', events: [] }),
  });

describe('defineChannel', () => {
  it.each([
    ['a schema of zod 3', old.object({ a: old.string() }), 'is a schema of zod 3, and Hilo reads those of zod 4: run npm install zod@4'],
    ['nothing', undefined, 'is missing, or no schema: make it with z.strictObject({ … }) of zod 4'],
    ['a plain object', { a: 'string' }, 'is no schema: make it with z.strictObject({ … }) of zod 4'],
  ])('refuses %s as the config, with the place and what to do', (_what, config, reason) => {
    expect(() => channelWith(config)).toThrow(TypeError);
    expect(() => channelWith(config)).toThrow(`The "config" of the channel "sms" ${reason}`);
  });

  it('takes a schema of zod 4', () => {
    const config = z.strictObject({ url: z.url() });
    expect(channelWith(config).config).toBe(config);
  });
});
