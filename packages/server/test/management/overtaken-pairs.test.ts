// Pairs of acts of which one is done whole before each write of the other in turn: what comes out is that of one order or the other.
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { beforeWrite } from '../data/before-write.ts';
import { inlineExample } from '../data/inline-example.ts';
import { describeOverEachStore } from '../rest/each-store.ts';

type Act = readonly [method: string, path: string, body?: object | string, key?: string];

/**
 * Two acts, what is so before them, and where one sees what they did. `{turn}` is another name each time, `{id}` and such are of the
 * answers before.
 */
interface Pair {
  readonly before: readonly Act[];
  readonly act: Act;
  readonly other: Act;
  readonly seen: readonly string[];
}

interface Outcome {
  readonly statuses: readonly (number | undefined)[];
  readonly seen: string;
}

async function perform(
  service: RunningService,
  [method, path, body, key]: Act,
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const answer = await createManagement(service).request(path, {
    method,
    headers: {
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const read = answer.headers.get('content-type')?.startsWith('application/json') === true ? parseJsonText(text) : { text };
  return { status: answer.status, body: isJsonObject(read) ? read : {} };
}

let turns = 0;

/** Makes what is so before, and names in a pair what only its answers tell. */
async function prepare(service: RunningService, pair: Pair): Promise<Pair & { readonly turn: string }> {
  const turn = `turn${(turns += 1)}`;
  const known = new Map<string, string>([['turn', turn]]);
  const fill = <Part>(part: Part): Part =>
    JSON.parse(JSON.stringify(part).replaceAll(/\{(\w+)\}/g, (text, name: string) => known.get(name) ?? text)) as Part;
  for (const act of pair.before) {
    const { status, body } = await perform(service, fill(act));
    expect([act, status < 300, body]).toEqual([act, true, body]);
    for (const [name, value] of Object.entries(body)) if (typeof value === 'string') known.set(name, value);
  }
  return { ...fill({ ...pair, before: [] }), turn };
}

async function look(service: RunningService, { seen, turn }: Pair & { readonly turn: string }): Promise<string> {
  const answers: unknown[] = [];
  for (const path of seen) {
    const { status, body } = await perform(service, ['GET', path]);
    const { results = null } = body;
    answers.push([status, Array.isArray(results) ? results.filter((one) => JSON.stringify(one).includes(turn)) : body]);
  }
  return JSON.stringify(answers)
    .replaceAll(turn, 'turn')
    .replaceAll(/(?:camp_|sub_)?[0-9a-f]{24,64}|file_[\w-]+/g, 'ID');
}

/** Both acts, one after the other. */
async function inOrder(service: RunningService, given: Pair, isActFirst: boolean): Promise<Outcome> {
  const pair = await prepare(service, given);
  const first = await perform(service, isActFirst ? pair.act : pair.other);
  const second = await perform(service, isActFirst ? pair.other : pair.act);
  return { statuses: isActFirst ? [first.status, second.status] : [second.status, first.status], seen: await look(service, pair) };
}

/** What comes out where the other act is done before each write of the first. */
async function overtaken(service: RunningService, given: Pair): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let number = 1; ; number += 1) {
    const pair = await prepare(service, given);
    let other: number | undefined;
    const hold = beforeWrite(service, number, async () => {
      other = (await perform(service, pair.other)).status;
    });
    try {
      const { status } = await perform(service, pair.act);
      if (hold.writes() < number) return outcomes;
      outcomes.push({ statuses: [status, other], seen: await look(service, pair) });
    } finally {
      hold.end();
    }
  }
}

const at = '/companies/1';
const user = '51999000777';
const remove = (path: string): Act => ['DELETE', path];
const both = (act: Act, other: Act, before: readonly Act[], seen: readonly string[]): Pair => ({ act, other, before, seen });

const segment: Act = ['PUT', `${at}/segments/{turn}`, { condition: 'user.consent != "revoked"' }];
const member: Act = ['PUT', `${at}/contacts/${user}`, { names: 'Ana', groups: ['{turn}'] }];
const template: Act = [
  'PUT',
  `${at}/templates/{turn}`,
  { botId: 'bot_wa', elementName: '{turn}', language: 'en', category: 'UTILITY', status: 'APPROVED', body: 'Hello' },
];
const bot: Act = [
  'PUT',
  `${at}/bots/{turn}`,
  { name: 'B', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log', appSecret: 'inbound-secret-of-it' } },
];
const ofBot: Act = ['PUT', template[1], { ...(template[2] as object), botId: '{turn}' }];
const credential: Act = ['PUT', `${at}/credentials/{turn}`, { kind: 'basic', username: 'u', password: 'p' }];
const make = (audience: object): Act => [
  'POST',
  `${at}/campaigns`,
  { name: '{turn}', botId: 'bot_wa', templateId: '{turn}', parameters: {}, audience, scheduledAt: '2032-03-01T09:00:00Z' },
  '{turn}',
];
const made: readonly Act[] = [template, make({ users: [user] })];
const campaign = `${at}/campaigns/{id}`;
const add = (users: readonly string[]): Act => ['POST', `${campaign}/recipients`, { audience: { users }, parameters: {} }];
const canvas = {
  schemaVersion: 1,
  id: '{turn}',
  name: 'Again',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['again'] } },
    { id: 'call', type: 'api', data: { method: 'GET', url: 'https://orders.example/', auth: { credentialId: '{turn}' } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'done' },
    { source: 'call', sourceHandle: 'error', target: 'done' },
  ],
};
const workflow: Act = ['PUT', '/workflows/{turn}?companyId=1', canvas];
const ofWorkflow = (verb: string): Act => ['POST', `/workflows/{turn}/${verb}?companyId=1`, {}];
const start: Act = ['POST', `${at}/starts`, { workflowId: '{turn}', at: '2032-03-01T09:00:00Z', botId: 'bot_wa', user: { id: user } }];
const job: Act = ['POST', '/workflows/{turn}/publish?companyId=1', { at: '2032-03-01T09:00:00Z' }];
const ofJob = (verb: string): Act => ['POST', `/jobs/{jobId}/${verb}`];
const hook: Act = ['POST', `${at}/event-subscriptions`, { url: 'https://hooks.example/{turn}', events: ['job.ended'] }];
const subscription = `${at}/event-subscriptions/{id}`;
const upload: Act = ['POST', `${at}/files`, 'A cup {turn}'];

const pairs: { readonly [name: string]: Pair } = {
  'two removals of a segment': both(remove(segment[1]), remove(segment[1]), [segment], [`${at}/segments`]),
  'a segment saved and removed': both(segment, remove(segment[1]), [segment], [`${at}/segments`]),
  'two removals of a group': both(remove(`${at}/groups/{turn}`), remove(`${at}/groups/{turn}`), [member], [`${at}/groups`]),
  'two removals of a template': both(remove(template[1]), remove(template[1]), [template], [`${at}/templates`]),
  'a template changed and removed': both(template, remove(template[1]), [template], [`${at}/templates`]),
  'a template removed, a campaign made': both(
    remove(template[1]),
    make({ users: [user] }),
    [template],
    [`${at}/templates`, `${at}/campaigns`],
  ),
  'a campaign made, its template removed': both(
    make({ users: [user] }),
    remove(template[1]),
    [template],
    [`${at}/templates`, `${at}/campaigns`],
  ),
  'a campaign made twice under one key': both(make({ users: [user] }), make({ users: [user] }), [template], [`${at}/campaigns`]),
  'a campaign made, its segment removed': both(
    make({ segment: '{turn}' }),
    remove(segment[1]),
    [template, segment, member],
    [`${at}/campaigns`],
  ),
  'a bot removed, a template of it made': both(remove(bot[1]), ofBot, [bot], [`${at}/templates`, `${at}/records/bots`]),
  'a template made, its bot removed': both(ofBot, remove(bot[1]), [bot], [`${at}/templates`, `${at}/records/bots`]),
  'the same recipients added twice': both(add(['51999000222']), add(['51999000222']), made, [campaign]),
  'other recipients added': both(add(['51999000222']), add(['51999000223', '51999000224']), made, [campaign, `${campaign}/results`]),
  'recipients added, the campaign cancelled': both(add(['51999000222']), ['POST', `${campaign}/cancel`], made, [campaign]),
  'a campaign paused and resumed': both(['POST', `${campaign}/pause`], ['POST', `${campaign}/resume`], made, [campaign]),
  'a campaign paused and cancelled': both(['POST', `${campaign}/pause`], ['POST', `${campaign}/cancel`], made, [campaign]),
  'a campaign cancelled twice': both(['POST', `${campaign}/cancel`], ['POST', `${campaign}/cancel`], made, [campaign]),
  'a campaign changed and cancelled': both(['PATCH', campaign, { name: 'Fall' }], ['POST', `${campaign}/cancel`], made, [campaign]),
  'two removals of a credential': both(remove(credential[1]), remove(credential[1]), [credential], [`${at}/records/credentials`]),
  'a credential changed and removed': both(credential, remove(credential[1]), [credential], [`${at}/records/credentials`]),
  'a start cancelled twice': both(
    remove(`${at}/starts/{startId}`),
    remove(`${at}/starts/{startId}`),
    [credential, workflow, ofWorkflow('publish'), start],
    [`${at}/starts/{startId}`],
  ),
  'a start made, its workflow removed': both(
    start,
    remove('/workflows/{turn}?companyId=1'),
    [credential, workflow, ofWorkflow('publish')],
    [`${at}/starts`],
  ),
  'a job paused and cancelled': both(ofJob('pause'), ofJob('cancel'), [credential, workflow, job], ['/jobs/{jobId}']),
  'a job cancelled and resumed': both(ofJob('cancel'), ofJob('resume'), [credential, workflow, job], ['/jobs/{jobId}']),
  'two removals of a subscription': both(remove(subscription), remove(subscription), [hook], [`${at}/event-subscriptions`]),
  'a subscription changed and removed': both(
    ['PATCH', subscription, { paused: true }],
    remove(subscription),
    [hook],
    [`${at}/event-subscriptions`],
  ),
  'a subscription changed twice': both(
    ['PATCH', subscription, { paused: true }],
    ['PATCH', subscription, { events: ['message.*'] }],
    [hook],
    [`${at}/event-subscriptions`],
  ),
  'two removals of a file': both(remove(`${at}/files/{id}`), remove(`${at}/files/{id}`), [upload], ['/files/{id}']),
  'a file uploaded again and removed': both(upload, remove(`${at}/files/{id}`), [upload], ['/files/{id}']),
  'a file removed and uploaded again': both(remove(`${at}/files/{id}`), upload, [upload], ['/files/{id}']),
};

describeOverEachStore('an act that is overtaken before any of its writes', (on) => {
  it(
    'comes out as in one of both orders (P6)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const others: unknown[] = [];
      for (const [name, pair] of Object.entries(pairs)) {
        const orders = [await inOrder(service, pair, true), await inOrder(service, pair, false)];
        for (const outcome of await overtaken(service, pair))
          others.push(...(orders.some((order) => isDeepStrictEqual(order, outcome)) ? [] : [{ name, outcome, orders }]));
      }
      expect(others).toEqual([]);
    }),
  );
});
