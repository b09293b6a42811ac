import type { z } from 'zod';
import { type ChannelAdapter, type ChannelDefinition, defineChannel } from './channel-adapter.ts';

/** A kind of provider that a workspace may configure, and that this release sends nothing to and takes nothing from. */
export const unserved = <Schema extends z.ZodObject>(
  definition: Pick<ChannelDefinition<Schema, undefined>, 'kind' | 'channels' | 'config' | 'secrets' | 'signatureHeader'>,
): ChannelAdapter =>
  defineChannel<Schema>({
    ...definition,
    send: (_outbound, { bot }) => ({
      kind: 'refused',
      cause: 'PROVIDER_UNSUPPORTED',
      message: `There is no adapter for providers of kind "${definition.kind}" in this release: bot "${bot.id}" cannot send`,
    }),
    authenticate: () => false,
    receive: () => ({ kind: 'events', events: [] }),
  });
