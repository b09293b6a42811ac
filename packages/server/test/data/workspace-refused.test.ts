import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Json, isHiloError, type HiloError } from '@hilo/engine/contract';
import { createVirtualClock, seededRandom } from '@hilo/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import { changed, inlineExample } from './inline-example.ts';
import { withPlace } from './open-for-test.ts';
import { runtimeParts } from './runtime.ts';
import { settingsFor } from './settings.ts';
import { dumpTables } from './table-dump.ts';

const acme = '/companies/0';

/** A change of the example, and the code and place of every problem it leads to. */
const walls: readonly (readonly [what: string, changes: { readonly [pointer: string]: Json | undefined }, problems: readonly string[]])[] =
  [
    ['an unknown field', { [`${acme}/nmae`]: 'Acme' }, [`UNKNOWN_FIELD ${acme}/nmae`]],
    ['an unknown field deep inside', { [`${acme}/bots/0/provider/colour`]: 'red' }, [`UNKNOWN_FIELD ${acme}/bots/0/provider/colour`]],
    [
      'an unknown field, and a name that leads nowhere besides',
      { [`${acme}/nmae`]: 1, [`${acme}/rooms/0/botId`]: 'nobody' },
      [`UNKNOWN_FIELD ${acme}/nmae`, `UNRESOLVED_REFERENCE ${acme}/rooms/0/botId`],
    ],
    ['a name with a sign that nobody sees', { [`${acme}/tags/0/name`]: 'V\u202eIP' }, [`INVALID_WORKSPACE ${acme}/tags/0/name`]],
    [
      'settings of more keys than a value has',
      { [`${acme}/settings`]: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 1])) },
      [`INVALID_WORKSPACE ${acme}/settings`],
    ],
    ['no companies', { '/companies': undefined }, ['INVALID_WORKSPACE /companies']],
    ['a company without a plan', { [`${acme}/plan`]: undefined }, [`INVALID_WORKSPACE ${acme}/plan`]],
    ['a plan that there is not', { [`${acme}/plan`]: 'gold' }, [`INVALID_WORKSPACE ${acme}/plan`]],
    ['a company number as a text', { [`${acme}/id`]: '1' }, [`INVALID_WORKSPACE ${acme}/id`]],
    ['two companies with one number', { '/companies/1/id': 1 }, ['DUPLICATE_ID /companies/1/id']],
    [
      'a grouping window above 20 seconds (GRP-01)',
      { [`${acme}/settings/operatorGrouping/window`]: 'PT21S' },
      [`INVALID_WORKSPACE ${acme}/settings/operatorGrouping/window`],
    ],
    [
      'a grouping window without its switch, and a field that there is not',
      { [`${acme}/settings/operatorGrouping`]: { window: 'PT5S', colour: 'red' } },
      [`INVALID_WORKSPACE ${acme}/settings/operatorGrouping/enabled`, `UNKNOWN_FIELD ${acme}/settings/operatorGrouping/colour`],
    ],
    ['a colon in a client id', { [`${acme}/clients/0/clientId`]: 'a:b' }, [`INVALID_WORKSPACE ${acme}/clients/0/clientId`]],
    ['a client without a secret', { [`${acme}/clients/0/clientSecret`]: undefined }, [`MISSING_SECRET ${acme}/clients/0/clientSecret`]],
    ['a client of two companies', { '/companies/1/clients/0/clientId': 'acme-client' }, ['DUPLICATE_ID /companies/1/clients/0/clientId']],
    ['a key too short to be one', { [`${acme}/apiKeys/0/key`]: 'short' }, [`INVALID_WORKSPACE ${acme}/apiKeys/0/key`]],
    ['a key with a line break', { [`${acme}/apiKeys/0/key`]: 'hk_acme_0123456789\r\nx' }, [`INVALID_WORKSPACE ${acme}/apiKeys/0/key`]],
    ['a key of two companies', { '/companies/1/apiKeys/0/key': 'hk_acme_0123456789abcdef' }, ['DUPLICATE_ID /companies/1/apiKeys/0/key']],
    ['an unknown key by its id alone', { [`${acme}/apiKeys/0/key`]: undefined }, [`MISSING_SECRET ${acme}/apiKeys/0/key`]],
    ['a channel that there is not', { [`${acme}/bots/0/channel`]: 'telegram' }, [`INVALID_WORKSPACE ${acme}/bots/0/channel`]],
    ['a provider that there is not', { [`${acme}/bots/0/provider/kind`]: 'telegram' }, [`INVALID_WORKSPACE ${acme}/bots/0/provider/kind`]],
    [
      'a provider of another channel',
      { [`${acme}/bots/0/provider`]: { kind: 'slack', botToken: 'x' } },
      [`INVALID_WORKSPACE ${acme}/bots/0/channel`],
    ],
    [
      'a connection without a zone',
      { [`${acme}/bots/0/connectedAt`]: '2026-01-10T00:00:00' },
      [`INVALID_WORKSPACE ${acme}/bots/0/connectedAt`],
    ],
    [
      'settings of more bytes than a value has',
      { [`${acme}/settings`]: { a: 'x'.repeat(65_536) } },
      [`INVALID_WORKSPACE ${acme}/settings`],
    ],
    [
      'settings of more parts than have room there',
      { [`${acme}/settings`]: { a: Array(40_000).fill([]) } },
      [`INVALID_WORKSPACE ${acme}/settings`],
    ],
    ['a bot of two companies', { '/companies/1/bots/0/id': 'bot_wa' }, ['DUPLICATE_ID /companies/1/bots/0/id']],
    ['a phone that is none', { [`${acme}/users/0/phone`]: 'call me' }, [`INVALID_WORKSPACE ${acme}/users/0/phone`]],
    [
      'a message to a bot that there is not',
      { [`${acme}/users/0/lastMessageAt`]: { ghost: 'now' } },
      [`UNRESOLVED_REFERENCE ${acme}/users/0/lastMessageAt/ghost`],
    ],
    [
      'a last message some day',
      { [`${acme}/users/0/lastMessageAt/bot_wa`]: 'yesterday' },
      [`INVALID_WORKSPACE ${acme}/users/0/lastMessageAt/bot_wa`],
    ],
    ['a user given twice', { [`${acme}/users/1/id`]: '5215512345678' }, [`DUPLICATE_ID ${acme}/users/1/id`]],
    ['a template without a word', { [`${acme}/templates/1/body`]: undefined }, [`INVALID_WORKSPACE ${acme}/templates/1/body`]],
    [
      'a template of an empty text, and of no component',
      { [`${acme}/templates/1/body`]: '', [`${acme}/templates/1/components`]: [] },
      [`INVALID_WORKSPACE ${acme}/templates/1/body`],
    ],
    [
      'a canvas and an open campaign with a template that its provider can never send',
      {
        [`${acme}/bots/0/provider`]: { kind: 'whatsapp-cloud', phoneNumberId: '1', accessToken: 'a', appSecret: 'b', verifyToken: 'c' },
        [`${acme}/templates/0/components`]: [{ type: 'HEADER', format: 'PRODUCT' }],
      },
      [
        `CHANNEL_LIMIT ${acme}/campaigns/0/templateId`,
        `CHANNEL_LIMIT ${acme}/workflows/0/canvas`,
        `CHANNEL_LIMIT ${acme}/workflows/1/canvas`,
      ],
    ],
    ['a template of no bot', { [`${acme}/templates/1/botId`]: 'ghost' }, [`UNRESOLVED_REFERENCE ${acme}/templates/1/botId`]],
    [
      "a template of another company's bot",
      { [`${acme}/templates/1/botId`]: 'bot_c2' },
      [`UNRESOLVED_REFERENCE ${acme}/templates/1/botId`],
    ],
    ['a campaign of no template', { [`${acme}/campaigns/1/templateId`]: 'tpl9' }, [`UNRESOLVED_REFERENCE ${acme}/campaigns/1/templateId`]],
    [
      "a campaign through another bot than its template's",
      { [`${acme}/campaigns/1/botId`]: 'bot_web' },
      [`CONTRADICTION ${acme}/campaigns/1/botId`],
    ],
    [
      'a scheduled campaign without a date',
      { [`${acme}/campaigns/0/scheduledAt`]: undefined },
      [`INVALID_WORKSPACE ${acme}/campaigns/0/scheduledAt`],
    ],
    [
      'more delivered than there are',
      { [`${acme}/campaigns/1/deliveredMessages`]: 2 },
      [`INVALID_WORKSPACE ${acme}/campaigns/1/totalMessages`],
    ],
    [
      'more recipients than messages',
      { [`${acme}/campaigns/1/totalMessages`]: 0 },
      [`INVALID_WORKSPACE ${acme}/campaigns/1/totalMessages`],
    ],
    [
      'a recipient twice',
      { [`${acme}/campaigns/0/recipients/1/userId`]: '5215512345678' },
      [`DUPLICATE_ID ${acme}/campaigns/0/recipients/1/userId`],
    ],
    ['an operator of no team', { [`${acme}/operators/0/teamIds`]: [6] }, [`UNRESOLVED_REFERENCE ${acme}/operators/0/teamIds/0`]],
    ['a tag of no team', { [`${acme}/tags/0/teams`]: [5, 7] }, [`UNRESOLVED_REFERENCE ${acme}/tags/0/teams/1`]],
    ['a colour by its name', { [`${acme}/tags/0/color`]: 'violet' }, [`INVALID_WORKSPACE ${acme}/tags/0/color`]],
    ['a room with no such tag', { [`${acme}/rooms/0/tags`]: [3] }, [`UNRESOLVED_REFERENCE ${acme}/rooms/0/tags/0`]],
    [
      'a conversation that ends before it starts',
      { [`${acme}/conversations/0/endAt`]: '2026-01-05T09:00:00Z' },
      [`INVALID_WORKSPACE ${acme}/conversations/0/endAt`],
    ],
    [
      'an active conversation that has ended (CON-14)',
      { [`${acme}/conversations/2/endAt`]: '2026-12-01T00:00:00Z' },
      [`INVALID_WORKSPACE ${acme}/conversations/2/endAt`],
    ],
    [
      'a conversation that is replied to before it starts',
      { [`${acme}/conversations/0/firstRepliedAtOperator`]: '2026-01-05T09:00:00Z' },
      [`INVALID_WORKSPACE ${acme}/conversations/0/firstRepliedAtOperator`],
    ],
    [
      'response times that add up to no whole number (STA-05)',
      { [`${acme}/conversations/0/operatorResponseTimesMs`]: [Number.MAX_SAFE_INTEGER, 1] },
      [`INVALID_WORKSPACE ${acme}/conversations/0/operatorResponseTimesMs`],
    ],
    ['a conversation in no such state', { [`${acme}/conversations/0/state`]: 'open' }, [`INVALID_WORKSPACE ${acme}/conversations/0/state`]],
    [
      'a child that does not know its parent (CON-18)',
      { [`${acme}/conversations/2/parentConversation`]: undefined },
      [`CONTRADICTION ${acme}/conversations/1/childConversation`],
    ],
    [
      'a child of a conversation that is not transferred',
      { [`${acme}/conversations/1/state`]: 'closed' },
      [`CONTRADICTION ${acme}/conversations/1/state`],
    ],
    ['a function without a module', { [`${acme}/functions/0/source`]: undefined }, [`INVALID_WORKSPACE ${acme}/functions/0/file`]],
    [
      'a token without its prefix (AUT-09)',
      { [`${acme}/functions/0/runtimeTokens/0/token`]: '0123456789abcdef' },
      [`INVALID_WORKSPACE ${acme}/functions/0/runtimeTokens/0/token`],
    ],
    [
      'an account of Stripe without secrets',
      { [`${acme}/credentials/0`]: { id: 'stripe', kind: 'stripe' } },
      [`MISSING_SECRET ${acme}/credentials/0/secretKey`, `MISSING_SECRET ${acme}/credentials/0/webhookSecret`],
    ],
    [
      'an account of Stripe whose secret anybody could guess, at no address',
      {
        [`${acme}/credentials/0`]: {
          id: 'stripe',
          kind: 'stripe',
          secretKey: 'sk_test_0123456789',
          webhookSecret: 'x',
          baseUrl: 'file:///x',
        },
      },
      [`INVALID_WORKSPACE ${acme}/credentials/0/webhookSecret`, `INVALID_WORKSPACE ${acme}/credentials/0/baseUrl`],
    ],
    ['a credential of no kind', { [`${acme}/credentials/0/kind`]: 'magic' }, [`INVALID_WORKSPACE ${acme}/credentials/0/kind`]],
    [
      'a credential without its secret',
      { [`${acme}/credentials/0/password`]: undefined },
      [`MISSING_SECRET ${acme}/credentials/0/password`],
    ],
    [
      'a file in a workspace that is not in one',
      { [`${acme}/workflows/0`]: { file: './a.json' } },
      [`FILE_OUTSIDE ${acme}/workflows/0/file`],
    ],
    ['a workflow with a canvas and a file', { [`${acme}/workflows/0/file`]: './a.json' }, [`INVALID_WORKSPACE ${acme}/workflows/0/file`]],
    [
      'a canvas that is none',
      { [`${acme}/workflows/0/canvas`]: { nodes: 1 } },
      Array.from({ length: 4 }, () => `INVALID_CANVAS ${acme}/workflows/0/canvas`),
    ],
    ['a canvas that cannot be published', { [`${acme}/workflows/0/canvas/edges`]: [] }, [`PORT_WITHOUT_EDGE ${acme}/workflows/0/canvas`]],
    [
      'a canvas of a template that there is not',
      { [`${acme}/workflows/0/canvas/nodes/4/data/templateId`]: 'tpl9' },
      [`UNRESOLVED_REFERENCE ${acme}/workflows/0/canvas`],
    ],
    [
      'two canvases of one workflow',
      { [`${acme}/workflows/1/canvas/id`]: 'payment-reminder' },
      [`DUPLICATE_ID ${acme}/workflows/1/canvas`],
    ],
    ['a text with half a character', { [`${acme}/name`]: '\ud800' }, [`INVALID_WORKSPACE ${acme}/name`]],
  ];

describe('a workspace is refused, whole, with the place of every problem, for', () => {
  // All are refused by one service, since none of them may change anything there.
  const stage = new AsyncDisposableStack();
  let service: RunningService;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hilo-service-'));
    stage.defer(() => rm(directory, { recursive: true }));
    const parts = await runtimeParts(directory);
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const seams = { clock: createVirtualClock(), random: seededRandom(1), log };
    service = await openService({ ...settingsFor(directory, parts), laneRuntime: parts.laneRuntime }, seams);
    stage.defer(() => service.close());
  });
  afterAll(() => stage.disposeAsync());

  it.each(walls)('%s', async (_what, changes, problems) => {
    const { store, importWorkspace } = service;
    const before = await dumpTables(store);
    const error = await importWorkspace({ workspace: changed(await inlineExample(), changes) }).catch((thrown: unknown) => thrown);
    if (!isHiloError(error, 'WORKSPACE_REFUSED')) throw new Error('It was imported');
    const told = error.details.problems.map(({ code, pointer }) => `${code} ${pointer}`);
    expect([...new Set(told)]).toEqual([...new Set(problems)]);
    expect(error.details.problems.every(({ message, hint }) => message !== '' && hint !== '')).toBe(true);
    expect(await dumpTables(store)).toEqual(before);
  });

  it(
    "another company's bot, function, client or key that is kept already",
    withPlace(async ({ open }) => {
      const { importWorkspace } = await open();
      const workspace = await inlineExample();
      await importWorkspace({ workspace });
      const [first] = workspace['companies'] as [{ readonly [field: string]: Json }];
      const { bots, clients, apiKeys, functions } = first;
      const thief = { id: 3, name: 'Thief', plan: 'free', bots, clients, apiKeys, functions } as Json;
      const error: unknown = await importWorkspace({ workspace: { companies: [thief] } }).catch((thrown: unknown) => thrown);
      expect((error as HiloError<'WORKSPACE_REFUSED'>).details.problems.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
        `DUPLICATE_ID ${acme}/bots/0/id`,
        `DUPLICATE_ID ${acme}/bots/1/id`,
        `DUPLICATE_ID ${acme}/bots/2/id`,
        `DUPLICATE_ID ${acme}/bots/3/id`,
        `DUPLICATE_ID ${acme}/clients/0/clientId`,
        `DUPLICATE_ID ${acme}/apiKeys/0/key`,
        `DUPLICATE_ID ${acme}/functions/0/id`,
        `DUPLICATE_ID ${acme}/functions/0/runtimeTokens/0/token`,
      ]);
    }),
  );

  it(
    'a file outside of its folder, by its path or by a link; an absolute path is trusted',
    withPlace(async ({ open, directory }) => {
      const canvas = {
        schemaVersion: 1,
        id: 'w',
        name: 'W',
        nodes: [
          { id: 'begin', type: 'start' },
          { id: 'done', type: 'end' },
        ],
        edges: [{ source: 'begin', target: 'done' }],
      };
      await mkdir(join(directory, 'inside'));
      await writeFile(join(directory, 'outside.json'), JSON.stringify(canvas));
      await symlink(join(directory, 'outside.json'), join(directory, 'inside', 'link.json'));
      const { importWorkspace } = await open();
      const file = join(directory, 'inside', 'workspace.json');
      const importing = async (name: string) => {
        await writeFile(
          file,
          JSON.stringify({ companies: [{ id: 1, name: 'A', plan: 'free', workflows: [{ file: name, publish: true }] }] }),
        );
        return importWorkspace(file).then(
          ({ workflows }) => workflows.map(({ version }) => version),
          (error: unknown) => (error as HiloError<'WORKSPACE_REFUSED'>).details.problems.map(({ code, pointer }) => `${code} ${pointer}`),
        );
      };
      expect(await importing('../outside.json')).toEqual([`FILE_OUTSIDE ${acme}/workflows/0/file`]);
      expect(await importing('link.json')).toEqual([`FILE_OUTSIDE ${acme}/workflows/0/file`]);
      expect(await importing('missing.json')).toEqual([`FILE_UNREADABLE ${acme}/workflows/0/file`]);
      expect(await importing(join(directory, 'outside.json'))).toEqual([1]);
    }),
  );

  it(
    'a text that is no JSON, without repeating its secrets (P31)',
    withPlace(async ({ open, directory }) => {
      const { importWorkspace } = await open();
      const file = join(directory, 'workspace.json');
      await writeFile(file, '{\n  "key": "a-secret"}}');
      const error: unknown = await importWorkspace(file).catch((thrown: unknown) => thrown);
      expect((error as HiloError<'WORKSPACE_REFUSED'>).details.problems).toMatchObject([
        { code: 'NOT_JSON', message: 'The text is no JSON at line 2, column 21' },
      ]);
      expect(JSON.stringify(error) + String(error)).not.toContain('a-secret');
      await writeFile(file, '{"companies":\n [');
      await expect(importWorkspace(file)).rejects.toThrow('is not imported: The text is no JSON at line 2, column 3');
    }),
  );

  it(
    'a file that is missing, no JSON, or no object',
    withPlace(async ({ open, directory }) => {
      const { importWorkspace } = await open();
      const codesOf = (source: string) =>
        importWorkspace(source).then(
          () => [],
          (error: unknown) => (error as HiloError<'WORKSPACE_REFUSED'>).details.problems.map(({ code }) => code),
        );
      const file = join(directory, 'workspace.json');
      expect(await codesOf(file)).toEqual(['FILE_UNREADABLE']);
      for (const [text, code] of [
        ['[]', 'INVALID_WORKSPACE'],
        ['\xff', 'NOT_JSON'],
      ] as const) {
        await writeFile(file, text);
        expect(await codesOf(file)).toEqual([code]);
      }
    }),
  );
});
