import type { InboundAdapters } from './adapter.ts';
import { signedEvents } from './signed-events.ts';

/** Every kind of provider whose messages are taken. */
export const inboundAdapters: InboundAdapters = new Map([
  ['log', signedEvents],
  ['custom', signedEvents],
]);
