import { Instant } from '@hilo/engine/contract';
import { Bsuid, InboundMessage } from '@hilo/nodes';
import { z } from 'zod';

const name = z.string().min(1).max(256);

/** A user's message as `log` and `custom` bots are given it (EVT-02). Fields that Hilo does not know are ignored (GEN-07). */
export const InboundEvent = z.object({
  /** The same id again is the same delivery (P10). */
  eventId: name,
  botId: z.string(),
  user: z.object({
    id: z.string(),
    phone: z.string().nullable().exactOptional(),
    bsuid: Bsuid.nullable().exactOptional(),
    names: z.string().nullable().exactOptional(),
  }),
  message: InboundMessage,
  receivedAt: Instant,
});
