// The route by which processes of one store call each other.
import { utf8 } from '@hilo/engine';
import type { LaneCall } from '@hilo/engine/runtime-kit';
import { Hono } from 'hono';
import type { Entry } from '../platform/http/admission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { describeFailure, HttpError, unauthorized } from '../platform/http/errors.ts';
import { readClientAddress } from '../platform/http/socket-address.ts';
import { readBody } from '../platform/http/read-body.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { Platform } from '../platform/platform.ts';
import { type ForwardedCall, type ForwardedReply, type Forwarding, forwardingPath, signatureHeader } from './forwarding.ts';

/** A request of 1 MB may take more as JSON in JSON. What is larger still is left in the store. */
const maxBytes = 4_000_000;

/**
 * Takes calls that other processes of the store forward for lanes of this one. Each is done here or not at all: none is forwarded again,
 * and one that fails does not affect the others of its request. A body takes an anonymous caller's place until its signature is judged
 * (P22, P27).
 */
export function createProcessRoutes(
  { engine, log, forwarding }: Pick<Platform, 'engine' | 'log'> & { readonly forwarding: Forwarding },
  traffic: Traffic,
): Hono<HttpEnv> {
  const { admission } = traffic;
  const app = withErrorHandler(new Hono<HttpEnv>(), { log });

  const takeCall = async ({ lane, call }: ForwardedCall, bytes: number, requestId: string): Promise<ForwardedReply> => {
    let entry: Entry | undefined;
    try {
      entry = admission.enter({ kind: 'known', holder: readCompanyId(call) });
      entry.take(bytes);
      return (await engine.takeHandedCall(lane, call)) ?? { kind: 'elsewhere' };
    } catch (error) {
      describeFailure(error, log, { requestId, surface: 'processes' }); // logs what is unexpected
      return { kind: 'failed' };
    } finally {
      entry?.leave();
    }
  };

  app.use(forwardingPath, envelope({ log }, traffic, 'processes'));
  app.post(forwardingPath, async (c) => {
    const anonymous = admission.enter({ kind: 'anonymous', address: readClientAddress(c) });
    const body = await readBody(c, anonymous, maxBytes).finally(anonymous.leave);
    if (!forwarding.isSigned(body, c.req.header(signatureHeader) ?? ''))
      throw unauthorized('Only processes that share the store and its HILO_SECRET_KEY are answered here');
    const calls = forwarding.read(utf8(body));
    if (calls === undefined) throw misdirected();
    const bytesEach = Math.ceil(body.byteLength / calls.length);
    return c.json({ replies: await Promise.all(calls.map((call) => takeCall(call, bytesEach, c.get('requestId')))) });
  });
  return app;
}

/** Misdirected Request (RFC 9110): nothing was done. */
const misdirected = (): HttpError => new HttpError(421, 'ELSEWHERE', 'The calls are not for this process');

function readCompanyId(call: LaneCall): string {
  switch (call.type) {
    case 'start':
      return call.origin.companyId;
    case 'message':
      return call.message.companyId;
    case 'resume':
      return call.call.companyId;
    default:
      return call.companyId;
  }
}
