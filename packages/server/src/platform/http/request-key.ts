// The key by which a request that is sent again is recognised.
import { readDeliveryKey } from '@hilo/engine';
import type { Context } from 'hono';
import type { HttpEnv } from './context.ts';

const names = ['webhook-id', 'idempotency-key'];

/** The key of a request, which has one of two names. */
export const readRequestKey = ({ req }: Context<HttpEnv>): string | undefined =>
  readDeliveryKey(Object.fromEntries(names.map((name) => [name, req.header(name)])));
