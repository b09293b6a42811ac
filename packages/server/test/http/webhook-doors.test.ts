/** A request through the gateway, and one that a host hands over to the engine: both give the same input, and the same refusal. */
import { HiloError } from '@hilo/engine';
import { getPath, type Json } from '@hilo/engine/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accepted, ana, setStage, type Stage } from './calls.ts';
import { order } from './canvases.ts';
import { keys } from './fake-service.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
  await stage.service.keep(order({ methods: ['POST', 'GET', 'DELETE'] }));
});
afterAll(() => stage.service.close());

interface Sent {
  readonly method?: string;
  readonly workflowId?: string;
  readonly query?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const toRequest = ({ method = 'POST', workflowId = 'order', query = '', headers = {}, body }: Sent): Request =>
  new Request(`http://host.test/workflows/v2/webhooks/skill/${workflowId}/whatsapp/hook?userId=${ana}&${query}`, {
    method,
    headers: { 'x-api-key': keys.acme, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? new Blob([body]) : body }), // neither sets a type of its own
  });

/** What the canvas sees of an execution, but its own id. */
async function seen(executionId: string): Promise<Json | undefined> {
  const data = getPath((await stage.stateOf(executionId))?.variables, ['$webhook', 'order']);
  return data === undefined ? undefined : { ...(data as object), executionId: '' };
}

async function throughGateway(sent: Sent): Promise<unknown> {
  const response = await stage.app.request(toRequest(sent));
  const body = (await response.json()) as { readonly error?: string; readonly message?: string };
  if (response.status !== 200) return { status: response.status, code: body.error, message: body.message };
  return seen(accepted({ status: 200, body, headers: response.headers }).executionId);
}

async function throughHost(sent: Sent): Promise<unknown> {
  try {
    const options = { channel: 'whatsapp', node: 'hook' } as const;
    const company = stage.service.engine.company('1');
    return await seen((await company.webhook(sent.workflowId ?? 'order', toRequest(sent), options)).executionId);
  } catch (error) {
    if (!(error instanceof HiloError)) throw error;
    const { status, code, message } = error as HiloError;
    return { status, code, message };
  }
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const list = (items: number) => `[${Array.from({ length: items }, () => '1').join(',')}]`;
const fields = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, { a: at }])));
const latin = new Uint8Array([0x22, 0xe9, 0x22]);
const typed = (type: string, body: Sent['body'] = '{"a":1}'): Sent => ({ headers: { 'content-type': type }, ...(body && { body }) });

const requests: { readonly [what: string]: Sent } = {
  'no body': {},
  'a body without a type': { body: '{"a":1}' },
  'a type with a suffix': typed('application/vnd.shop+json; charset=UTF-8'),
  'JSON that is called ASCII': typed(`${json}; charset=us-ascii`, '{"a":"é"}'),
  'JSON in another charset': typed(`${json}; charset=iso-8859-1`, latin),
  'JSON that is no UTF-8': typed(json, latin),
  'JSON with a mark of its order': typed(json, '\ufeff{"a":1}'),
  'malformed JSON': typed(json, '{"a":'),
  'a text that is no UTF-8': typed('text/plain', latin),
  'a text in its charset': typed('text/plain; charset="iso-8859-1"', latin),
  'an unknown charset': typed('text/plain; charset=klingon'),
  'a form': typed(form, 'a=1&a=2&b=%C3%B1&__proto__=x'),
  'a form at its limit': typed(form, 'a=1&'.repeat(9_999)),
  'a form over its limit': typed(form, 'a=1&'.repeat(10_000)),
  '50,000 values': typed(json, list(49_998)),
  'more than 50,000 values': typed(json, list(50_000)),
  'more than 10,000 keys in all': typed(json, fields(5_001)),
  '64 levels': typed(json, '['.repeat(64) + ']'.repeat(64)),
  '65 levels': typed(json, '['.repeat(65) + ']'.repeat(65)),
  'a number that nothing keeps': typed(json, '{"a":1e999}'),
  'an id of many digits': typed(json, '{"id":1152921506151679042}'),
  'a name of JavaScript': typed(json, '{"__proto__":{"a":1},"b":[{"\\u005f_proto__":1}]}'),
  'a body at its limit': typed('text/plain', 'a'.repeat(1024 * 1024)),
  'a body over its limit': typed('text/plain', 'a'.repeat(1024 * 1024 + 1)),
  'an encoded body': { headers: { 'content-type': json, 'content-encoding': 'gzip' }, body: 'zip' },
  'the key where it does not belong': {
    query: `x-api-key=old&next=${keys.acme}&${keys.acme}=1&a=1`,
    headers: { 'x-forwarded-key': `key ${keys.acme}`, 'x-shop': 'Lima' },
  },
  'repeated parameters': { query: 'a=1&a=2&b=&__proto__=x' },
  'two keys of delivery': { headers: { 'webhook-id': 'a', 'idempotency-key': 'b' } },
  'a key of delivery that is too long': { headers: { 'idempotency-key': 'a'.repeat(129) } },
  'a key of delivery with a blank': { headers: { 'webhook-id': 'a b' } },
  'a method without a body': { method: 'GET' },
  'a method with a body': { method: 'DELETE', ...typed(json) },
  'a method that is not taken': { method: 'PUT', ...typed(json) },
  'a malformed body with such a method': { method: 'PUT', ...typed(json, '{') },
  'a malformed body to no workflow': { workflowId: 'other', ...typed(json, '{') },
  'an empty execution id': { query: 'executionId=' },
  'an execution id of nobody': { query: 'executionId=x' },
};

describe('a request through both doors', () => {
  it.each(Object.entries(requests))('has one outcome: %s', async (_, sent) => {
    expect(await throughHost(sent)).toEqual(await throughGateway(sent));
  });

  it('has one outcome, whatever its type and its body', async () => {
    const types = fc.constantFrom(json, form, 'text/plain', 'application/x+json;charset=utf8', 'text/x; charset=utf-16le', ';', '');
    const bodies = fc.oneof(
      fc.json(),
      fc.string(),
      fc.uint8Array().map((bytes) => new Uint8Array(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(types, bodies, async (type, body) => {
        const sent = typed(type, body);
        expect(await throughHost(sent)).toEqual(await throughGateway(sent));
      }),
      { numRuns: 20 },
    );
  });

  it('is counted in the same way where a host has parsed it', async () => {
    const company = stage.service.engine.company('1');
    const give = async (more: object) =>
      company.webhook('order', { method: 'POST', query: { userId: ana }, ...more }, { channel: 'whatsapp', node: 'hook' });
    await expect(give({ body: Array.from({ length: 50_000 }, () => 1) })).rejects.toThrow('more than 50000 values');
    await expect(give({ body: JSON.parse(fields(5_001)) as Json })).rejects.toThrow('more than 10000 keys');
    await expect(give({ headers: { 'Webhook-Id': 'a', 'Idempotency-Key': 'b' } })).rejects.toThrow('differ');
    const headers = { 'X-API-Key': keys.acme, 'X-Again': keys.acme, 'X-Shop': 'Lima' };
    const { executionId } = await give({ headers, query: { userId: ana, a: ['1', keys.acme], b: '2' } });
    expect(await seen(executionId)).toMatchObject({ headers: { 'x-shop': 'Lima' }, query: { userId: ana, b: '2' } });
    expect(JSON.stringify(await seen(executionId))).not.toContain(keys.acme);
  });
});
