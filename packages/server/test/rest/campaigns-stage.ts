import type { Json, JsonObject } from '@hilo/engine/contract';
import { createApp } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';

/** An answer, as a caller sees it. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Calls routes in process. */
export type Call = (request: string, options?: { readonly body?: unknown; readonly client?: string }) => Promise<Answer>;

const clients = { acme: 'acme-client:s3c:ret-of-acme', other: 'other-client:other-secret' };

/** @returns calls a service, as Acme by default; a body that is a text is sent unchanged */
export function callOf(service: RunningService): Call {
  const app = createApp(service);
  return async (request, { body, client = clients.acme } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await app.request(path, {
      method,
      headers: {
        ...(client !== '' && { authorization: `Basic ${btoa(client)}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
}

export { clients };

/** What `GET /v1/campaigns` answers with. */
export interface CampaignList {
  readonly message: readonly string[];
  readonly status: string;
  readonly data: { readonly results: readonly JsonObject[]; readonly pagination: JsonObject };
}

/** A campaign for the example's template, to these users. */
export const campaignTo = (id: string, userIds: readonly string[], more: JsonObject = {}): Json => ({
  id,
  name: id,
  elementName: 'payment_reminder',
  templateId: 'tpl1',
  botId: 'bot_wa',
  status: 'PENDING',
  createdAt: '2031-02-01T00:00:00Z',
  recipients: userIds.map((userId) => ({ userId, parameters: { name: 'Ana', code: userId } })),
  ...more,
});

/** Phone numbers of as many users. */
export const phones = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => String(5_215_500_000_000 + index));
