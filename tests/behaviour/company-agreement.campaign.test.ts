// The simulator and the service agree about a company: what a canvas reads, keeps and sends under a workspace file is the same in both.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@hilo/engine/contract';
import { simulate } from '../../packages/testing/src/index.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSimulationOptions, prepareRun } from '../../packages/cli/src/run/setup.ts';
import { takeEvent } from '../../packages/server/src/channels/channels.ts';
import type { RunningService } from '../../packages/server/src/service/open-service.ts';
import { withPlace } from '../../packages/server/test/data/open-for-test.ts';

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });
const word = fc.constantFrom('Acme', 'Ñandú & Cía', '東京', 'a"b', '{{x}}', 'O’Hara');
const zone = fc.constantFrom('America/Lima', 'Asia/Kolkata', 'Pacific/Kiritimati', 'UTC');
const locale = fc.constantFrom('es', 'es-PE', 'pt-BR', 'de', 'hi-IN', 'en-US');

const texts = [
  '{{$company.id}}|{{$company.name}}|{{$company.plan ?? "-"}}|{{$company.kind ?? "-"}}|{{$company.timeZone ?? "-"}}|{{$company.locale ?? "-"}}',
  'settings {{$company.settings ?? {}}}',
  '{{$bot.id}}|{{$bot.name}}',
  '{{$user.id}}|{{$user.names ?? "-"}}|{{$user.phone ?? "-"}}|{{$user.phoneNumber ?? "-"}}|{{$user.timeZone ?? "-"}}|{{$user.locale ?? "-"}}',
  '{{$user.fields.city ?? "-"}}|{{$user.fields.visits ?? "-"}}|{{$user.fields.since ?? "-"}}|{{$user.fields.likes ?? []}}',
  '{{formatNumber(1234567.891, 2)}}|{{format(timestamp("2031-03-03T23:30:00Z"), "cccc d LLLL HH:mm")}}|{{date(timestamp("2031-03-03T23:30:00Z"))}}',
];

const say = (id: string, text: string) => ({ id, type: 'message', data: { message: { type: 'text', text } } });
const canvas = (id: string): JsonObject => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['go'] } },
    ...texts.map((text, index) => say(`says${index}`, text)),
    {
      id: 'keep',
      type: 'set',
      data: {
        assignments: [
          { path: '$user.fields.city', value: 'Lima' },
          { path: '$user.fields.visits', value: '{{($user.fields.visits ?? 0) + 1}}' },
        ],
      },
    },
    say('kept', '{{$user.fields.city}} {{$user.fields.visits}}'),
    { id: 'sell', type: 'template', data: { templateId: 'offer', parameters: { name: '{{$user.names ?? "you"}}' } } },
    { id: 'tag', type: 'tags', data: { action: 'add', tags: [1] } },
    say('failed', '{{$error.cause}}|{{$error.message}}'),
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'says0' },
    ...texts.slice(1).map((_, index) => ({ source: `says${index}`, sourceHandle: 'sent', target: `says${index + 1}` })),
    { source: `says${texts.length - 1}`, sourceHandle: 'sent', target: 'keep' },
    { source: 'keep', sourceHandle: 'next', target: 'kept' },
    { source: 'kept', sourceHandle: 'sent', target: 'sell' },
    { source: 'sell', sourceHandle: 'sent', target: 'tag' },
    { source: 'sell', sourceHandle: 'error', target: 'failed' },
    { source: 'tag', sourceHandle: 'next', target: 'done' },
    { source: 'tag', sourceHandle: 'error', target: 'failed' },
    { source: 'failed', sourceHandle: 'sent', target: 'done' },
  ],
});

const bot = fc.record({
  name: word,
  connectedAt: fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-02-01T00:00:00+05:00'),
});
const template = fc.record({
  language: fc.constantFrom('es', 'en', 'pt_BR'),
  status: fc.constantFrom('APPROVED', 'APPROVED', 'PENDING'),
  body: fc.constantFrom('Hola {{name}}', 'Hi {{name}}!', 'Hi'),
});
const companies = fc.record({
  name: word,
  plan: fc.constantFrom('free', 'builder', 'growth', 'enterprise'),
  kind: maybe(fc.constantFrom('self-service', 'enterprise')),
  timeZone: maybe(zone),
  locale: maybe(locale),
  settings: maybe(fc.constantFrom<JsonObject>({}, { site: 'https://x.example', limits: { a: [1] } })),
  bots: fc.array(bot, { minLength: 1, maxLength: 3 }),
  templates: fc.uniqueArray(template, { selector: ({ language }) => language, minLength: 1, maxLength: 3 }),
  user: maybe(
    fc.record(
      {
        names: word,
        timeZone: zone,
        locale,
      },
      { requiredKeys: [] },
    ),
  ),
});

type Company = typeof companies extends fc.Arbitrary<infer One> ? One : never;

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hilo-agree-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const userId = '51999000111';
let number = 0;

/** The workspace of a company with ids that no other has. */
function workspaceOf({ bots, templates, user, ...rest }: Company, id: number): JsonObject {
  const botId = (index: number): string => `bot_${id}_${index}`;
  const company = {
    id,
    ...rest,
    fields: [
      { key: 'city', label: 'City', type: 'text' },
      { key: 'visits', label: 'Visits', type: 'number' },
      { key: 'since', label: 'Since', type: 'date' },
      { key: 'likes', label: 'Likes', type: 'list' },
    ],
    bots: bots.map((one, index) => ({ id: botId(index), channel: 'whatsapp', provider: { kind: 'log' }, ...one })),
    tags: [{ id: 1, name: 'vip', color: '#000000' }],
    templates: templates.flatMap((one, index) =>
      bots.map((_, of) => ({ id: `t_${id}_${of}_${index}`, botId: botId(of), elementName: 'offer', category: 'UTILITY', ...one })),
    ),
    users: user === undefined ? [] : [{ id: userId, ...user }],
  };
  return JSON.parse(
    JSON.stringify({ companies: [{ ...company, workflows: [{ canvas: canvas(`w${id}`), publish: true }] }] }),
  ) as JsonObject;
}

/** What a message says: the service keeps of a template also how it reads. */
const said = ({ type, text, templateId, parameters }: JsonObject): JsonObject =>
  type === 'template'
    ? { type, templateId: templateId ?? null, parameters: parameters ?? null }
    : { type: type ?? null, text: text ?? null };

/** What the user of a simulation gets. */
async function simulated(workspace: JsonObject, id: number): Promise<readonly JsonObject[]> {
  const [file, beside] = [join(directory, `w${id}.json`), join(directory, `workspace${id}.json`)];
  await writeFile(file, JSON.stringify(canvas(`w${id}`)));
  await writeFile(beside, JSON.stringify(workspace));
  const setup = await prepareRun(file, { channel: 'whatsapp', user: userId, seed: 1, workspace: beside });
  if (setup === undefined) throw new Error('The canvas can be run');
  const conversation = await simulate({ canvases: setup.canvases, ...createSimulationOptions(setup) });
  await conversation.says('go');
  return conversation.sent.filter(isJsonObject).map(said);
}

/** What the user of the service gets. */
async function served(service: RunningService, workspace: JsonObject, botId: string, id: number): Promise<readonly JsonObject[]> {
  await service.importWorkspace({ workspace });
  const known = service.companies.botOf(String(id), botId);
  if (known === undefined) throw new Error('The bot was imported');
  const eventId = `go-${id}`;
  await takeEvent(service, known, {
    kind: 'message',
    eventId,
    user: { id: userId, phone: userId },
    message: { type: 'text', text: 'go', id: eventId },
    atMs: service.clock.now(),
  });
  await service.engine.whenIdle();
  const { results } = await service.messages.list(String(id), botId, { userId, limit: 100 });
  return results.filter(({ direction }) => direction === 'outbound').map(({ message }) => said(message));
}

it(
  'a conversation under a workspace file says the same in the terminal and in the service',
  { timeout: 600_000 },
  withPlace(async (place) => {
    const service = await place.open();
    await fc.assert(
      fc.asyncProperty(companies, async (company) => {
        const id = (number += 1);
        const workspace = workspaceOf(company, id);
        const inTests = await simulated(workspace, id);
        const botId = /"(bot_\d+_\d)\|/.exec(JSON.stringify(inTests))?.[1] ?? '';
        expect(await served(service, workspace, botId, id)).toEqual(inTests);
      }),
      { numRuns: fc.readConfigureGlobal().numRuns ?? 60 },
    );
  }),
);
