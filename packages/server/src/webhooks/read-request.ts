import { parseBody, readWebhookRequest, takesBody } from '@hilo/engine';
import type { Json, WebhookRequest } from '@hilo/engine/contract';
import type { Entry } from '../platform/http/admission.ts';
import type { HttpCall } from '../platform/http/call.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';
import type { Shares } from '../tenants/company-limits.ts';

/** What the surface of webhooks works with. */
export type WebhookParts = Pick<Platform, 'settings' | 'engine' | 'clock' | 'isAccepting' | 'log' | 'store'> &
  Tenancy & {
    /** What companies may take; without it there are no limits. */
    readonly shares?: Shares;
  };

/** Reads a call as the webhook node gets it. @throws {HttpError | HiloError} 400, 413, 503 for a refused body */
export const readRequest = async (call: HttpCall, entry: Pick<Entry, 'take'>): Promise<WebhookRequest> =>
  readWebhookRequest({ ...call, body: takesBody(call.method) ? await call.readBody(entry) : new Uint8Array() });

/** The body of a call, by its type. @throws {HttpError | HiloError} 400, 413, 503 for a refused body */
export const readPayload = async ({ readBody, headers }: HttpCall, entry: Pick<Entry, 'take'>): Promise<Json> =>
  parseBody(await readBody(entry), headers['content-type']);
