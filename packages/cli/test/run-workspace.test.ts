// What a canvas sees of the company when `hilo run` plays it: users, the bot, templates, operators, teams and tags of the workspace.
import { describe, expect, it } from 'vitest';
import { hiloHere as hilo } from './hilo-in-process.ts';
import { folderWith } from '../../server/test/hilo-process.ts';

/** A canvas that goes through these nodes at any message, and ends with the port by which it left the last one. */
function canvasOf(node: { readonly type: string; readonly data: object }, ports: readonly string[], outputs: object = {}): object {
  return {
    schemaVersion: 1,
    id: 'seen',
    name: 'Seen',
    nodes: [
      { id: 'begin', type: 'start', data: { fallback: true } },
      { id: 'node', ...node },
      ...ports.map((port) => ({ id: port, type: 'end', data: { outputs: { by: port, ...outputs } } })),
    ],
    edges: [{ source: 'begin', target: 'node' }, ...ports.map((port) => ({ source: 'node', sourceHandle: port, target: port }))],
  };
}

const template = { botId: 'new', language: 'es', category: 'UTILITY', status: 'APPROVED', body: 'Hola {{name}}' };
const company = {
  id: 7,
  name: 'Acme',
  plan: 'growth',
  timeZone: 'Europe/Madrid',
  locale: 'en-GB',
  bots: [
    { id: 'new', name: 'New', channel: 'whatsapp', connectedAt: '2026-02-01T00:00:00Z' },
    { id: 'old', name: 'Old', channel: 'whatsapp', connectedAt: '2026-01-01T00:00:00Z' },
    { id: 'web', name: 'Page', channel: 'web', connectedAt: '2026-03-01T00:00:00Z' },
  ],
  users: [
    { id: '593987654321', names: 'Eva', phone: '593987654321', timeZone: 'America/Lima', locale: 'es-PE' },
    { id: '51999000111', names: null },
  ],
  templates: [
    { ...template, id: 'es', elementName: 'hello' },
    { ...template, id: 'en', elementName: 'hello', language: 'en', body: 'Hello {{name}}' },
    { ...template, id: 'pending', elementName: 'waits', status: 'PENDING' },
    { ...template, id: 'other', elementName: 'others', botId: 'old' },
  ],
  teams: [
    { id: 5, name: 'Support' },
    { id: 6, name: 'Nobody' },
  ],
  operators: [
    { id: 10, names: 'Olga', email: 'olga@acme.test', teamIds: [5] },
    { id: 11, names: 'Omar', email: 'omar@acme.test', teamIds: [5] },
    { id: 12, names: 'Otto', email: 'otto@acme.test', teamIds: [] },
  ],
  tags: [
    { id: 1, name: 'VIP', color: '#7c3aed' },
    { id: 2, name: 'Late', color: '#7c3aed' },
  ],
  rooms: [{ id: 'room', botId: 'new', userId: '593987654321', tags: [1] }],
  conversations: [
    { _id: 'c1', botId: 'new', userId: '51999000111', operatorId: 10, state: 'active', startAt: '2026-01-01T00:00:00Z' },
    { _id: 'c2', botId: 'new', userId: '593987654321', operatorId: 12, state: 'active', startAt: '2026-01-01T00:00:00Z' },
    { _id: 'c3', botId: 'new', userId: '51999000111', operatorId: 11, state: 'closed', startAt: '2026-01-01T00:00:00Z' },
  ],
};

/** The outputs at the end of a run. */
async function outputsOf(canvas: object, script: string, args: readonly string[] = ['--user', '593987654321'], of: object = company) {
  using folder = folderWith({ 'seen.json': canvas, 'workspace.json': { companies: [of] }, 'script.txt': script });
  const { stdout, stderr } = await hilo(['run', 'seen.json', '--script', 'script.txt', ...args], { cwd: folder.path });
  const [, outputs] = /ended: completed (\{.*\})/.exec(stdout) ?? [];
  if (outputs === undefined) throw new Error(`${stdout}\n${stderr}`);
  return JSON.parse(outputs) as { readonly [name: string]: unknown };
}

describe('a run for a workspace', () => {
  const shows = canvasOf({ type: 'set', data: { assignments: [{ path: '$context.seen', value: 1 }] } }, ['next'], {
    user: '{{$user}}',
    company: '{{$company}}',
    bot: '{{$bot}}',
  });

  it('sees the company, its bot of the channel and the user as an import makes them known', async () => {
    expect(await outputsOf(shows, 'user: hi\n')).toMatchObject({
      user: { id: '593987654321', names: 'Eva', phone: '593987654321', timeZone: 'America/Lima', locale: 'es-PE' },
      company: { id: '7', name: 'Acme', plan: 'growth', kind: 'self-service', timeZone: 'Europe/Madrid', locale: 'en-GB' },
      bot: { id: 'new', name: 'New', channel: 'whatsapp' },
    });
  });

  it('reads the settings of tests before the others of the same names, as drafts do', async () => {
    const settings = { shop: 'live', both: 'same', test: { shop: 'test' } };
    const seen = await outputsOf(shows, 'user: hi\n', undefined, { ...company, settings });
    expect(seen['company']).toMatchObject({ settings: { shop: 'test', both: 'same' } });
    expect(seen['company']).not.toHaveProperty('settings.test');
  });

  it('writes the fields that the company declares, and no other', async () => {
    const fields = [{ key: 'city', label: 'City', type: 'text', options: ['Lima', 'Cusco'] }];
    const written = async (path: string, value: string) => {
      const canvas = canvasOf({ type: 'set', data: { assignments: [{ path, value }] } }, ['next'], {
        city: '{{$user.fields.city ?? null}}',
      });
      return outputsOf(canvas, 'user: hi\n', undefined, { ...company, fields });
    };
    expect(await written('$user.fields.city', 'Cusco')).toEqual({ by: 'next', city: 'Cusco' });
    await expect(written('$user.fields.city', 'Arequipa')).rejects.toThrow('failed INVALID_REQUEST');
    await expect(written('$user.fields.town', 'Cusco')).rejects.toThrow('failed INVALID_REQUEST');
  });

  it.for([
    ['51999000111', null],
    ['51999000112', null],
    [undefined, 'Ana'],
  ] as const)('user %s is called %s', async ([user, names]) => {
    const args = user === undefined ? [] : ['--user', user];
    expect(await outputsOf(shows, 'user: hi\n', args)).toMatchObject({ user: { names } });
  });

  it.for([
    ['hello', { name: 'Eva' }, 'sent', undefined],
    ['en', { name: 'Eva' }, 'sent', undefined],
    ['hello', {}, 'error', 'INVALID_PARAMETERS'],
    ['pending', { name: 'Eva' }, 'error', 'INVALID_TEMPLATE'],
    ['waits', { name: 'Eva' }, 'error', 'INVALID_TEMPLATE'],
    ['others', { name: 'Eva' }, 'error', 'INVALID_TEMPLATE'],
    ['nowhere', { name: 'Eva' }, 'error', 'INVALID_TEMPLATE'],
  ] as const)('template %s with %j leaves by %s', async ([templateId, parameters, by, cause]) => {
    const canvas = canvasOf({ type: 'template', data: { templateId, parameters } }, ['sent', 'error'], {
      cause: '{{$error.cause ?? null}}',
    });
    expect(await outputsOf(canvas, 'user: hi\n')).toEqual({ by, cause: cause ?? null });
  });

  it.for([
    [{ teamId: 5 }, 'closed', 11],
    [{}, 'closed', 11],
    [{ operatorId: 12 }, 'closed', 12],
    [{ teamId: 6 }, 'noAgent', null],
    [{ teamId: 7 }, 'error', null],
    [{ operatorId: 13 }, 'error', null],
    [{ teamId: 5, operatorId: 12 }, 'error', null],
  ] as const)('a hand-off to %j leaves by %s, with operator %s', async ([wanted, by, operatorId]) => {
    const canvas = canvasOf({ type: 'handoff', data: { ...wanted, saveAs: '$context.talk' } }, ['closed', 'expired', 'noAgent', 'error'], {
      operatorId: '{{$context.talk.operatorId ?? null}}',
    });
    expect(await outputsOf(canvas, `user: hi\n${by === 'closed' ? 'operator: closes\n' : ''}`)).toEqual({ by, operatorId });
  });

  it.for([
    ['add', [2], 'next'],
    ['add', [9], 'error'],
    ['remove', [1], 'next'],
  ] as const)('%s of the tags %j leaves by %s', async ([action, tags, by]) => {
    const canvas = canvasOf({ type: 'tags', data: { action, tags } }, ['next', 'error']);
    expect(await outputsOf(canvas, 'user: hi\n')).toEqual({ by });
  });

  it('finds everything of a list that the workspace leaves out', async () => {
    const { templates: _, operators: __, ...left } = company;
    const sends = canvasOf({ type: 'template', data: { templateId: 'nowhere', parameters: {} } }, ['sent', 'error']);
    expect(await outputsOf(sends, 'user: hi\n', [], left)).toEqual({ by: 'sent' });
    const hands = canvasOf({ type: 'handoff', data: { teamId: 99 } }, ['closed', 'expired', 'noAgent', 'error']);
    expect(await outputsOf(hands, 'user: hi\noperator: closes\n', [], left)).toEqual({ by: 'closed' });
  });

  it('names a user of the workspace that is no user', async () => {
    using folder = folderWith({ 'seen.json': shows, 'workspace.json': { companies: [{ ...company, users: [{ id: 7 }] }] } });
    const { code, stderr } = await hilo(['run', 'seen.json'], { cwd: folder.path });
    expect(stderr).toMatch(/^hilo: \S*workspace\.json is no workspace: [^\n]* at \/companies\/0\/users\/0\/id\n$/);
    expect(code).toBe(1);
  });
});
