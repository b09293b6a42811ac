import { type HiloError, Json, type JsonObject, type WebhookData, WebhookMethod, WebhookRequest } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { webhook } from './webhook.ts';

const methods = WebhookMethod.options;

function admit(config: JsonObject, request: { readonly [field: string]: unknown }) {
  if (webhook.entry?.kind !== 'webhook') throw new Error('a webhook is entered by HTTP');
  return webhook.entry.admit(
    webhook.config.parse({ variableName: 'order', methods, ...config }),
    WebhookRequest.parse({ method: 'POST', ...request }),
  );
}

/** The result of admitting a request: a property of it, or the code of the refusal. */
function outcome<Value>(work: () => Value): Value | string {
  try {
    return work();
  } catch (error) {
    return (error as HiloError).code;
  }
}

function dataOf(request: { readonly [field: string]: unknown }, execution: { executionId: string; mode: 'new' | 'resume' }): WebhookData {
  const [write] = admit({}, request).writes(execution);
  return write?.value as unknown as WebhookData;
}

describe('webhook, admitting a request', () => {
  it('accepts the configured methods and no others (WEB-07, WEB-08)', () =>
    fc.assert(
      fc.property(fc.subarray([...methods]), fc.constantFrom(...methods, 'HEAD', 'OPTIONS', 'get', ''), (configured, method) => {
        const result = outcome(() => admit({ methods: configured }, { method }).executionId);
        expect(result).toBe(configured.some((name) => name === method) ? undefined : 'METHOD_NOT_ALLOWED');
      }),
    ));

  it('lists the allowed methods', () => {
    expect(() => admit({ methods: ['PUT'] }, { method: 'GET' })).toThrow('This webhook does not take GET; it takes PUT');
    expect(() => admit({ methods: [] }, { method: 'GET' })).toThrow('it takes no method at all');
  });

  it('reads the executionId from the body, then the query, and refuses a malformed one (WEB-10, WEB-11)', () => {
    const given = fc.constantFrom<Json | undefined>(undefined, null, '', 'e1', 'e2', 0, 7, true, ['e1'], { id: 'e1' });
    fc.assert(
      fc.property(given, given, fc.boolean(), (inBody, inQuery, hasPath) => {
        const ids = [...(hasPath ? [inBody] : []), inQuery].filter((value) => value !== undefined && value !== null);
        const isRefused = ids.some((value) => typeof value !== 'string' || value === '') || new Set(ids).size > 1;
        const request = {
          body: { meta: inBody === undefined ? {} : { executionId: inBody } },
          query: inQuery === undefined ? {} : { executionId: inQuery },
        };
        const result = outcome(() => admit(hasPath ? { executionIdPath: 'meta.executionId' } : {}, request).executionId);
        expect(result).toBe(isRefused ? 'INVALID_REQUEST' : ids[0]);
      }),
    );
  });

  it.each<[string, Json, string | undefined]>([
    ['items[0].id', { items: [{ id: 'e' }] }, 'e'],
    ['items.0.id', { items: [{ id: 'e' }] }, 'e'],
    ['id.length', { id: 'e' }, undefined],
    ['toString', {}, undefined],
    ['id', 'a text', undefined],
    ['id', null, undefined],
  ])('follows %s in a body through own properties only (WEB-11)', (executionIdPath, body, id) => {
    expect(admit({ executionIdPath }, { body }).executionId).toBe(id);
  });

  it.each(['__proto__.id', 'a.constructor', 'a..b', '', '[0]'])('refuses the path "%s" in a config', (path) => {
    expect(webhook.config.safeParse({ variableName: 'a', userIdPath: path }).error?.issues).toMatchObject([{ path: ['userIdPath'] }]);
  });

  it('reads the user from the body, then the query (WEB-12)', () => {
    const userId = (body: Json, query: JsonObject = {}) => admit({ userIdPath: 'user.id' }, { body, query }).userId('whatsapp', 'strict');
    expect(userId({ user: { id: '51999888777' } }, { userId: '52' })).toBe('51999888777');
    expect(userId({ user: { id: null } }, { userId: '52' })).toBe('52');
    expect(userId({}, { userId: 'US.13491208655302741918' })).toBe('US.13491208655302741918');
    expect(userId({})).toBeUndefined();
    expect(admit({}, { body: { userId: '52' } }).userId('whatsapp', 'strict')).toBeUndefined();
  });

  it.each<[Json, 'whatsapp' | 'web', 'strict' | 'open', boolean]>([
    ['+51999888777', 'whatsapp', 'strict', false],
    ['', 'whatsapp', 'strict', false],
    [51999888777, 'whatsapp', 'strict', false],
    [{ id: '51' }, 'whatsapp', 'strict', false],
    ['session-1', 'web', 'strict', false],
    ['session-1', 'web', 'open', true],
    ['session-1', 'whatsapp', 'open', false],
  ])('judges the user id %j on %s, %s, when it is required (UID-03, UID-05)', (id, channel, format, isValid) => {
    const { userId } = admit({ userIdPath: 'id' }, { body: { id } });
    expect(outcome(() => userId(channel, format))).toBe(isValid ? id : 'INVALID_USER_ID');
  });

  it('keeps no credential, however its header is spelled, and every other header (VAR-03)', () => {
    const secret = fc.constantFrom('x-api-key', 'authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-service-token');
    const spelled = fc
      .tuple(secret, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), fc.constantFrom('', ' ', '\t'))
      .map(
        ([name, capitals, blank]) =>
          Array.from(name, (char, index) => (capitals[index] === true ? char.toUpperCase() : char)).join('') + blank,
      );
    const other = fc.constantFrom('Content-Type', 'X-Request-Id', 'x-api-keys', 'my-cookie');
    fc.assert(
      fc.property(fc.array(spelled), fc.uniqueArray(other), (secrets, others) => {
        const headers = Object.fromEntries<string>([
          ...secrets.map((name): [string, string] => [name, 'top secret']),
          ...others.map((name): [string, string] => [name, `value of ${name}`]),
        ]);
        const kept = dataOf({ headers }, { executionId: 'e', mode: 'new' }).headers;
        expect(JSON.stringify(kept)).not.toContain('top secret');
        expect(kept).toEqual(Object.fromEntries(others.map((name) => [name.toLowerCase(), `value of ${name}`])));
      }),
    );
  });

  it('stores the whole request, new or resumed, and isNewExecution tells which (VAR-01)', () =>
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom<'new' | 'resume'>('new', 'resume'),
        fc.constantFrom(...methods),
        (value, mode, method) => {
          const body = Json.parse(JSON.parse(JSON.stringify(value))); // as parsed from a request: no `__proto__`
          expect(dataOf({ body, method, query: { q: '1' }, headers: { A: 'b' } }, { executionId: 'e', mode })).toEqual({
            body,
            headers: { a: 'b' },
            query: { q: '1' },
            method,
            mode,
            executionId: 'e',
            isNewExecution: mode === 'new',
          });
        },
      ),
    ));

  it.each([
    ['webhook', '$webhook'],
    ['context', '$context'],
  ])('stores under %s as configured (WEB-16, WEB-19)', (storage, scope) => {
    const [write] = admit({ storage }, {}).writes({ executionId: 'e', mode: 'new' });
    expect(write?.path).toEqual([scope, 'order']);
    const config = webhook.config.parse({ variableName: 'order', storage });
    expect(webhook.writes(config)).toEqual({ new: [`${scope}.order`], resume: [`${scope}.order`], interrupted: ['$message'] });
  });

  it('passes settings on to the server (WEB-15, WEB-24)', () => {
    expect(admit({}, {})).toMatchObject({ oneTimeOnly: false, respond: 'onAccept' });
    expect(admit({ oneTimeOnly: true, respond: 'onFinish' }, {})).toMatchObject({ oneTimeOnly: true, respond: 'onFinish' });
  });
});

describe('webhook, visited', () => {
  const config = { variableName: 'order', methods: ['POST'], waitTimeout: 'P1D' };
  const writes = [{ path: ['$webhook', 'order'], value: { mode: 'new' } }];

  it('leaves by new with what started the execution (WEB-20)', () => {
    const visited = visit(webhook, { config, trigger: { kind: 'webhook', writes } });
    expect(visited).toMatchObject({ by: 'new', effects: [], writes: { '$webhook.order': { mode: 'new' } } });
  });

  it.each([undefined, { kind: 'call', inputs: {}, webhook: {} } as const])(
    'waits when reached in the middle, or called (WEB-21)',
    (trigger) => {
      const more = trigger === undefined ? {} : { trigger };
      expect(visit(webhook, { config, ...more, connected: [] }).effects).toEqual([
        { type: 'wait.webhook', request: { kind: 'webhook', dueInMs: 86_400_000 } },
      ]);
      expect(visit(webhook, { config, ...more, results: [{ kind: 'request', writes }] })).toMatchObject({
        by: 'resume',
        writes: { '$webhook.order': { mode: 'new' } },
      });
      expect(visit(webhook, { config, ...more, results: [{ kind: 'timeout', lateByMs: 0 }] })).toMatchObject({
        by: 'timeout',
        failure: { cause: 'TIMEOUT' },
      });
    },
  );

  it('waits without an end by default', () => {
    expect(visit(webhook, { config: { variableName: 'order' }, connected: [] }).effects).toEqual([
      { type: 'wait.webhook', request: { kind: 'webhook' } },
    ]);
  });
});

describe('webhook, published', () => {
  it('warns of a webhook without methods, and refuses nothing (WEB-08)', () => {
    const check = (methods: string[]) =>
      webhook.check(webhook.config.parse({ variableName: 'a', methods }), { channels: [], kind: 'skill' });
    expect(check([])).toMatchObject([{ code: 'WEBHOOK_WITHOUT_METHODS', severity: 'warning', at: ['methods'] }]);
    expect(check(['GET'])).toEqual([]);
  });

  it.each([
    ['$context.executionId', { variableName: 'executionId', storage: 'context' }, 'variableName'],
    ['a reserved word', { variableName: 'return' }, 'variableName'],
    ['no name', { variableName: '1a' }, 'variableName'],
    ['a method of its own', { variableName: 'a', methods: ['HEAD'] }, 'methods'],
    ['an address that leads elsewhere', { variableName: 'a', legacyId: 'a/b' }, 'legacyId'],
  ])('refuses %s (WEB-16)', (_, config, field) => {
    expect(webhook.config.safeParse(config).error?.issues[0]?.path[0]).toBe(field);
  });

  it('hands its variable back to a calling execution where it inherits, and only there (WEB-17)', () => {
    const handedBack = (inherit: boolean) =>
      webhook.entry?.kind === 'webhook' ? webhook.entry.handsBack?.(webhook.config.parse({ variableName: 'paid', inherit })) : 'no webhook';
    expect([handedBack(true), handedBack(false)]).toEqual(['paid', undefined]);
  });

  it('may be called executionId under $webhook', () => {
    expect(webhook.config.safeParse({ variableName: 'executionId' }).success).toBe(true);
  });
});
