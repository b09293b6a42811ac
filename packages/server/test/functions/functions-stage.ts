// A service that listens, with deployed functions, for tests that call them over HTTP.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@hilo/engine/contract';
import { createApp } from '../../src/service/app.ts';
import type { Functions } from '../../src/functions/functions.ts';
import { listen } from '../../src/platform/http/listen.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { settingsFor } from '../data/settings.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** A service over the example workspace that listens, with functions of the test beside `fn_echo`. */
export interface FunctionsStage extends AsyncDisposable {
  readonly url: string;
  readonly service: RunningService & { readonly functions: Functions };
  readonly logged: readonly { readonly fields: object; readonly message: string }[];
  /** Calls; a text goes out as it is, everything else as JSON. */
  ask(method: string, path: string, headers?: { readonly [name: string]: string }, body?: unknown): Promise<Answer>;
  /** Asks management. */
  manage(method: string, path: string, body?: unknown): Promise<Answer>;
  /** What the service counts, as Prometheus reads it. */
  metrics(): Promise<string>;
}

export const acmeKey = { authorization: 'Bearer hk_acme_0123456789abcdef' };
export const otherKey = { authorization: 'Bearer hk_other_0123456789abcdef' };
export const legacyToken = 'hfn_rt_0123456789abcdef';
export const secondToken = 'hfn_rt_second0123456789';
export const adminToken = 'admin-token-0123456789';

const sums: readonly Json[] = [
  { name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } },
  { name: 'any', description: 'Anything', inputSchema: {} },
];

/**
 * @param functions - sources by id, of the first company; each has a runtime token like the first's, with its id behind it
 * @param egressAllow - private addresses that functions may call
 * @param tools - of each function of the test
 */
export async function functionsStage(
  functions: { readonly [id: string]: string } = {},
  egressAllow: readonly string[] = [],
  tools: readonly Json[] = sums,
): Promise<FunctionsStage> {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-functions-'));
  const logged: { fields: object; message: string }[] = [];
  const log = (fields: object, message: string): void => void logged.push({ fields, message });
  const service = await openService(settingsFor(directory, { adminToken, egressAllow }), { log: { info: log, warn: log, error: log } });
  const deployed = Object.entries(functions).map(
    ([id, source]): Json => ({
      id,
      name: id,
      source,
      tools,
      runtimeTokens: [{ id: 'rt_1', name: 'old', token: `${legacyToken}_${id}` }],
    }),
  );
  const example = await inlineExample();
  const [acme] = example['companies'] as readonly { readonly functions: readonly Json[] }[];
  const second: Json = { id: 'rt_2', name: 'second', token: secondToken, createdAt: '2025-02-01T00:00:00Z' };
  const withSecond = changed(example, {
    '/companies/0/functions': [...(acme?.functions ?? []), ...deployed],
    '/companies/0/functions/0/runtimeTokens/-': second,
  });
  await service.importWorkspace({ workspace: withSecond });
  if (service.functions === undefined) throw new Error('The service has no functions');
  const listening = await listen(createApp(service).fetch, { port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${listening.port}`;

  const ask: FunctionsStage['ask'] = async (method, path, headers = {}, body) => {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(text !== undefined && { body: text }),
    });
    const answered = await answer.text();
    return { status: answer.status, headers: answer.headers, body: answered === '' ? undefined : (JSON.parse(answered) as unknown) };
  };
  return {
    url,
    service: { ...service, functions: service.functions },
    logged,
    ask,
    metrics: async () => (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } })).text(),
    manage: (method, path, body) => ask(method, `/admin/v1${path}`, { authorization: `Bearer ${adminToken}` }, body),
    async [Symbol.asyncDispose]() {
      await listening.close(100);
      await service.close();
      await rm(directory, { recursive: true });
    },
  };
}
