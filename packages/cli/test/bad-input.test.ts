import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { folderWith, smallCanvas } from '../../server/test/hilo-process.ts';
import { hiloHere } from './hilo-in-process.ts';

/** A canvas with one node between its start and its end, to which all its ports lead. */
const canvasWith = (type: string, data: object, ports: readonly string[] = ['next'], start: object = { keywords: ['hello'] }): object =>
  smallCanvas({
    nodes: [
      { id: 'begin', type: 'start', data: start },
      { id: 'node', type, data },
      { id: 'done', type: 'end', data: {} },
    ],
    edges: [{ source: 'begin', target: 'node' }, ...ports.map((sourceHandle) => ({ source: 'node', sourceHandle, target: 'done' }))],
  });

const hours = (data: object): object => canvasWith('business-hours', data, ['open', 'closed']);
const monday = { week: { mon: [['09:00', '18:00']] } };
const expression = (value: string): object => canvasWith('set', { assignments: [{ path: '$context.a', value }] });
const long = 'a'.repeat(10_000);

const badCanvases: readonly (readonly [what: string, canvas: object, pointer: string, message: RegExp])[] = [
  ['a zone that nobody knows', hours({ ...monday, timeZone: 'Mars/Base' }), '/nodes/1/data/timeZone', /no time zone of this name.*America/],
  [
    'the same in an expression',
    expression('{{date($now, "Mars/Base")}}'),
    '/nodes/1/data/assignments/0/value',
    /no time zone "Mars\/Base"/,
  ],
  [
    'a keyword of 10,000 letters',
    smallCanvas({
      nodes: [
        { id: 'begin', type: 'start', data: { match: 'pattern', keywords: [long] } },
        { id: 'done', type: 'end', data: {} },
      ],
    }),
    '/nodes/0/data/keywords/0',
    /at most 200 characters/,
  ],
  [
    'a pattern of 10,000 letters',
    canvasWith('ask', { message: { type: 'text', text: '?' }, input: { kind: 'text', like: long } }, ['answered', 'invalid']),
    '/nodes/1/data/input/like',
    /at most 1000 characters/,
  ],
  ['the same in an expression', expression(`{{like($user.names, "${long}")}}`), '/nodes/1/data/assignments/0/value', /./],
  [
    'a day that is not on the calendar',
    hours({ ...monday, holidays: ['2026-02-30'] }),
    '/nodes/1/data/holidays/0',
    /a day of the calendar/,
  ],
  ['the same as an instant', canvasWith('wait-until', { at: '2026-02-30T10:00:00Z' }, ['due']), '/nodes/1/data/at', /not an instant/],
  [
    'the same in an expression',
    expression('{{instant("2026-02-30", "10:00")}}'),
    '/nodes/1/data/assignments/0/value',
    /takes a day of the calendar such as/,
  ],
  [
    'an hour that is on no clock',
    expression('{{instant($context.a ?? "2026-12-01", "25:00")}}'),
    '/nodes/1/data/assignments/0/value',
    /a time such as 15:30/,
  ],
  [
    '02:30 of the night without it',
    expression('{{instant("2026-03-29", "02:30", "Europe/Madrid")}}'),
    '/nodes/1/data/assignments/0/value',
    /02:30 on 2026-03-29 is a time that the clocks of Europe\/Madrid skip/,
  ],
  ['a day where an instant is wanted', expression('{{date("2026-12-01")}}'), '/nodes/1/data/assignments/0/value', /ISO 8601 with a zone/],
  [
    'hours that cross midnight',
    hours({ week: { fri: [['22:00', '02:00']] } }),
    '/nodes/1/data/week/fri/0',
    /past midnight are written as .*on the next day/,
  ],
  ['hours of no length', hours({ week: { fri: [['09:00', '09:00']] } }), '/nodes/1/data/week/fri/0', /does not close after it opens/],
  ['a week without hours', hours({ week: {} }), '/nodes/1/data/week', /never open/],
  [
    'a wait for hours that never come',
    canvasWith('wait-until', { opening: { week: { mon: [] } } }, ['due']),
    '/nodes/1/data/opening/week',
    /never open/,
  ],
];

interface Report {
  readonly problems: readonly { readonly severity: string; readonly pointer: string; readonly message: string; readonly line?: number }[];
}

describe('hilo validate', () => {
  it.for(badCanvases)('refuses %s, with its place', async ([, canvas, pointer, message]) => {
    using folder = folderWith({ 'small.json': canvas });
    const { code, stdout } = await hiloHere(['validate', 'small.json', '--json'], { cwd: folder.path });
    const [report] = JSON.parse(stdout) as readonly Report[];
    expect(report?.problems.filter(({ severity }) => severity === 'error')).toEqual([
      expect.objectContaining({ pointer, line: expect.any(Number) as number, message: expect.stringMatching(message) as string }),
    ]);
    expect(code).toBe(1);
  });

  it('refuses two canvases that interrupt for one keyword, at the keyword', async () => {
    const interrupting = (id: string, keyword: string): object =>
      smallCanvas({
        id,
        nodes: [
          { id: 'begin', type: 'start', data: { keywords: [keyword], interrupts: true } },
          { id: 'done', type: 'end', data: {} },
        ],
      });
    using folder = folderWith({ 'one.json': interrupting('one', 'stop'), 'two.json': interrupting('two', 'Stop') });
    const { code, stdout } = await hiloHere(['validate', 'one.json', 'two.json'], { cwd: folder.path });
    expect(stdout).toContain('SAME_INTERRUPT  "stop" interrupts for workflow "two", too');
    expect(stdout).toContain('two.json:11:11  /nodes/0/data/keywords/0');
    expect(code).toBe(1);
  });
});

/** Every command that reads the configuration; none may begin anything with an invalid one. */
const commands = [
  ['serve', '--workspace', 'workspace.json'],
  ['dev', '--workspace', 'workspace.json'],
  ['validate', 'small.json'],
  ['test', 'small.txt', '--update'],
  ['run', 'small.json'],
  ['render', 'small.json', '-o', 'small.svg'],
] as const;
const badConfigs = [
  [
    'throws',
    'const key: string | undefined = undefined;\nthrow new Error("No key");',
    /^hilo: hilo\.config\.ts:2:\d+: the configuration cannot be loaded: No key\n$/,
  ],
  [
    'exports nothing',
    'export const nodes = [];',
    /^hilo: hilo\.config\.ts has no default export: write export default defineConfig\(\{ … \}\)\n$/,
  ],
] as const;

describe('a hilo.config.ts that', () => {
  for (const [what, source, message] of badConfigs)
    it.for(commands)(`${what} stops hilo %s, and nothing is written`, async (args) => {
      using folder = folderWith({
        'hilo.config.ts': source,
        'small.json': smallCanvas(),
        'small.txt': 'user: hello\n',
        'workspace.json': { companies: [{ id: 1, name: 'Shop', plan: 'free' }] },
      });
      const before = readdirSync(folder.path);
      const { code, stdout, stderr } = await hiloHere(args, { cwd: folder.path });
      expect(stderr).toMatch(message);
      expect(stdout).toBe('');
      expect(code).toBe(1);
      expect(readdirSync(folder.path)).toEqual(before);
      expect(readFileSync(join(folder.path, 'small.txt'), 'utf8')).toBe('user: hello\n');
    });
});

describe('a file that a workspace names', () => {
  const files = [
    ['../outside/key.txt', 'FILE_OUTSIDE'],
    ['link', 'FILE_OUTSIDE'],
    ['device', 'FILE_OUTSIDE'],
    ['pipe', 'FILE_UNREADABLE'],
    ['self', 'FILE_UNREADABLE'],
    ['loop', 'FILE_UNREADABLE'],
    ['none', 'FILE_UNREADABLE'],
  ] as const;

  it('is judged before anything of it leaves for a service elsewhere, as where it is imported here', async () => {
    using folder = folderWith({});
    const inside = join(folder.path, 'inside');
    for (const made of [inside, join(folder.path, 'outside')]) mkdirSync(made);
    writeFileSync(join(folder.path, 'outside', 'key.txt'), 'a key of whoever imports this\n');
    for (const [to, link] of Object.entries({ link: '../outside/key.txt', device: '/dev/zero', self: '.', loop: 'loop' }))
      symlinkSync(link, join(inside, to));
    execFileSync('mkfifo', [join(inside, 'pipe')]);
    const workspace = join(inside, 'workspace.json');
    const [workflows, functions] = [files.map(([file]) => ({ file })), files.map(([file]) => ({ id: file, file }))];
    writeFileSync(workspace, JSON.stringify({ companies: [{ id: 1, name: 'Shop', plan: 'free', workflows, functions }] }));
    const { code: exitCode, stdout } = await hiloHere(['import', workspace, '--json', '--url', 'http://127.0.0.1:1']);
    const told = (field: string) => files.map(([, code], index) => ({ code, pointer: `/companies/0/${field}/${index}/file` }));
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { problems: [...told('workflows'), ...told('functions')] }]);
  });
});

it('says that a server which is slow may still do what was asked, and not that none answers', async () => {
  const late = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause: late })));
  const { code, stderr } = await hiloHere(['users', 'list', '--url', 'http://127.0.0.1:1']).finally(() => vi.unstubAllGlobals());
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^hilo: The server at \S+ has not answered in five minutes: it may still do/)]);
});
