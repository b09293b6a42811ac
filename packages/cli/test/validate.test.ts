import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { hiloHere as hilo } from './hilo-in-process.ts';
import { ended, folderWith, root, smallCanvas, startHilo } from '../../server/test/hilo-process.ts';

interface Report {
  readonly file: string;
  readonly ok: boolean;
  readonly problems: readonly { readonly code: string; readonly pointer: string; readonly line?: number; readonly column?: number }[];
}

const contractCanvases = 'examples/workspace/canvases';

const deep = (open: string, close: string): string => open.repeat(100_000) + close.repeat(100_000);

/** The content of a file, its problem, and where that is drawn. */
const badFiles: readonly (readonly [what: string, content: string | Uint8Array | object | undefined, code: string, place: string])[] = [
  ['is not there', undefined, 'FILE_NOT_FOUND', 'canvas.json'],
  ['is empty', '', 'NOT_JSON', 'canvas.json:1:1'],
  ['is not JSON', '{\n  "schemaVersion": 1,\n  "id": "x"\n  "name": "X"\n}', 'NOT_JSON', 'canvas.json:4:3'],
  ['is not text', new Uint8Array([0x7b, 0xff, 0x7d]), 'NOT_JSON', 'canvas.json'],
  ['is of another version', smallCanvas({ schemaVersion: 2 }), 'UNSUPPORTED_SCHEMA_VERSION', 'canvas.json:2:20'],
  ['has 20 MB', `"${'x'.repeat(20 * 1024 * 1024)}"`, 'CANVAS_TOO_LARGE', 'canvas.json'],
  ['has lists 100,000 levels deep', deep('[', ']'), 'TOO_DEEP', 'canvas.json:1:65'],
  ['has objects 100,000 levels deep', deep('{"a":', '}'), 'TOO_DEEP', 'canvas.json:1:321'],
  ['has __proto__ at its root', '{ "__proto__": {}, "schemaVersion": 1 }', 'FORBIDDEN_KEY', 'canvas.json:1:3'],
  ['has __proto__ in a config', JSON.stringify(smallCanvas()).replace('"keywords"', '"__proto__"'), 'FORBIDDEN_KEY', 'canvas.json:1:94'],
  ['has a null in place of a canvas', 'null', 'INVALID_CANVAS', 'canvas.json:1:1'],
];

describe('hilo validate', () => {
  it('finds nothing that keeps the canvases of the contract from being published', async () => {
    const files = readdirSync(join(root, contractCanvases)).map((name) => join(contractCanvases, name));
    const { code, stdout } = await hilo(['validate', ...files, '--workspace', 'examples/workspace/workspace.json']);
    expect(stdout).toContain('All 6 canvases can be published (1 warning)');
    expect(code).toBe(0);
  });

  it('reports what it cannot check without a workspace, and what publishing in one would refuse', async () => {
    const node = { id: 'tell', type: 'template', data: { templateId: 'tpl1', parameters: {} } };
    const edges = [
      { source: 'begin', target: 'tell' },
      { source: 'tell', sourceHandle: 'sent', target: 'done' },
    ];
    const { nodes } = smallCanvas() as { readonly nodes: readonly object[] };
    const company = { id: 1, name: 'Empty', plan: 'free' };
    const slack = {
      id: 'b1',
      name: 'B',
      channel: 'slack',
      connectedAt: '2026-01-01T00:00:00Z',
      provider: { kind: 'slack', botToken: 'xoxb' },
    };
    const approved = { category: 'UTILITY', status: 'APPROVED', language: 'en' };
    const template = { id: 'tpl1', botId: 'b1', elementName: 'tpl1', body: 'Hi', ...approved };
    using folder = folderWith({
      'small.json': smallCanvas({ nodes: [...nodes, node], edges }),
      'workspace.json': { companies: [company] },
      'broken.json': { companies: [{ ...company, plan: 'no plan' }] },
      'unsendable.json': { companies: [{ ...company, bots: [slack], templates: [template] }] },
      'logged.json': { companies: [{ ...company, bots: [{ ...slack, provider: { kind: 'log' } }], templates: [template] }] },
    });
    const problemsWith = async (...flags: readonly string[]) => {
      const { code, stdout } = await hilo(['validate', '--json', 'small.json', ...flags], { cwd: folder.path });
      const [report] = JSON.parse(stdout) as readonly Report[];
      return [code, report?.problems.map((problem) => problem.code)];
    };
    expect(await problemsWith()).toEqual([0, ['REFERENCE_NOT_CHECKED']]);
    expect(await problemsWith('--workspace', 'workspace.json')).toEqual([1, ['UNRESOLVED_REFERENCE']]);
    expect(await problemsWith('--workspace', 'unsendable.json')).toEqual([1, ['CHANNEL_LIMIT']]);
    expect(await problemsWith('--workspace', 'logged.json')).toEqual([0, []]);
    const refused = await hilo(['validate', 'small.json', '--workspace', 'broken.json'], { cwd: folder.path });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('"plan" must be one of free');
    expect(refused.stderr).toContain('broken.json cannot be read');
  });

  it('lets warnings fail with --strict', async () => {
    const { code, stdout } = await hilo(['validate', '--strict', join(contractCanvases, 'no-methods.json')]);
    expect(stdout).toContain('WEBHOOK_WITHOUT_METHODS');
    expect(code).toBe(1);
  });

  it.for(badFiles)('reports that a file %s', async ([, content, code, place]) => {
    using folder = folderWith(content === undefined ? {} : { 'canvas.json': content });
    const result = await hilo(['validate', 'canvas.json'], { cwd: folder.path });
    expect(result.stdout).toContain(`error ${code} `);
    expect(result.stdout).toContain(`╭─ ${place}`);
    expect(result).toMatchObject({ code: 1, stderr: '' });
    expect(result.stdout).not.toMatch(/\n +at /);
    expect(result.stdout.length).toBeLessThan(2_000);
  });

  it('reports that a folder is no canvas', async () => {
    const { code, stdout } = await hilo(['validate', contractCanvases]);
    expect(stdout).toContain('This is a folder');
    expect(code).toBe(1);
  });

  it('draws the place of a problem, with a mark under it', async () => {
    using folder = folderWith({ 'small.json': smallCanvas({ edges: [{ source: 'begin', target: 'dnoe' }] }) });
    const { stdout } = await hilo(['validate', 'small.json'], { cwd: folder.path });
    expect(stdout).toContain(
      [
        'error EDGE_TO_NOTHING  The edge\'s target "dnoe" is no node of this canvas',
        '   ╭─ small.json:24:17  /edges/0/target',
        '23 │       "source": "begin",',
        '24 │       "target": "dnoe"',
        '   │                 ^^^^^^',
        '25 │     }',
        '   │  fix: Remove the edge',
        '   ╰─ Remove the edge or connect it to a node.',
      ].join('\n'),
    );
  });

  it('prints JSON for machines and nothing else', async () => {
    using folder = folderWith({ 'small.json': smallCanvas(), 'broken.json': smallCanvas({ nmae: 'x' }) });
    const { code, stdout, stderr } = await hilo(['validate', '--json', 'small.json', 'broken.json', 'gone.json'], { cwd: folder.path });
    const reports = JSON.parse(stdout) as readonly Report[];
    expect(reports.map(({ file, ok }) => [file, ok])).toEqual([
      ['small.json', true],
      ['broken.json', false],
      ['gone.json', false],
    ]);
    expect(reports[0]?.problems).toEqual([]);
    expect(reports[1]?.problems).toMatchObject([{ code: 'UNKNOWN_FIELD', pointer: '/nmae', severity: 'error', line: 27, column: 3 }]);
    expect(reports[2]?.problems).toMatchObject([{ code: 'FILE_NOT_FOUND', pointer: '' }]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  it('checks again whenever a canvas, the workspace or the configuration changes, until Ctrl-C', async () => {
    const company = { id: 1, name: 'Empty', plan: 'free' };
    using folder = folderWith({ 'small.json': smallCanvas(), 'workspace.json': { companies: [company] } });
    const write = (name: string, content: string) => {
      writeFileSync(join(folder.path, `${name}~`), content); // as editors do it
      renameSync(join(folder.path, `${name}~`), join(folder.path, name));
    };
    const child = startHilo(['validate', '--watch', '--json', 'small.json', '--workspace', 'workspace.json'], { cwd: folder.path });
    const end = ended(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? 'null');
    try {
      expect(await next()).toEqual([{ file: 'small.json', ok: true, problems: [] }]);
      write('small.json', JSON.stringify(smallCanvas({ nmae: 'x' })));
      expect(await next()).toMatchObject([{ ok: false, problems: [{ code: 'UNKNOWN_FIELD', pointer: '/nmae' }] }]);
      rmSync(join(folder.path, 'small.json'));
      expect(await next()).toMatchObject([{ ok: false, problems: [{ code: 'FILE_NOT_FOUND' }] }]);
      write('small.json', JSON.stringify(smallCanvas()));
      expect(await next()).toMatchObject([{ ok: true }]);
      write('hilo.config.ts', 'export default 7;');
      expect(await next()).toEqual({ error: 'hilo.config.ts: the default export must be an object, such as defineConfig({ nodes: [] })' });
      write('hilo.config.ts', 'export default {};');
      expect(await next()).toMatchObject([{ ok: true }]);
      write('workspace.json', JSON.stringify({ companies: [{ ...company, plan: 'no plan' }] }));
      expect(await next()).toMatchObject({ problems: [{ pointer: '/companies/0/plan' }] });
    } finally {
      child.kill('SIGINT');
    }
    expect(await end).toMatchObject({ code: 0, stderr: '' });
  });

  it('holds a canvas to the limits of a channel', async () => {
    const message = { id: 'say', type: 'message', data: { message: { type: 'text', text: 'x'.repeat(1_500) } } };
    const [begin, done] = (smallCanvas() as { readonly nodes: readonly object[] }).nodes;
    const edges = [
      { source: 'begin', target: 'say' },
      { source: 'say', sourceHandle: 'sent', target: 'done' },
    ];
    using folder = folderWith({ 'long.json': smallCanvas({ nodes: [begin, message, done], edges }) });
    const one = await hilo(['validate', '--channel', 'whatsapp', 'long.json'], { cwd: folder.path });
    const two = await hilo(['validate', '-c', 'whatsapp', '-c', 'instagram', 'long.json'], { cwd: folder.path });
    expect(one.code).toBe(0);
    expect(two.stdout).toContain('CHANNEL_LIMIT');
    expect(two.code).toBe(1);
  });

  it('looks for called workflows among the files and in their folders', async () => {
    const call = (workflowId: string) =>
      smallCanvas({
        id: 'caller',
        nodes: [
          { id: 'begin', type: 'start', data: {} },
          { id: 'call', type: 'workflow', data: { workflowId } },
          { id: 'done', type: 'end', data: {} },
        ],
        edges: [
          { source: 'begin', target: 'call' },
          { source: 'call', sourceHandle: 'success', target: 'done' },
        ],
      });
    using elsewhere = folderWith({ 'far.json': smallCanvas({ id: 'far' }) });
    using folder = folderWith({
      'near.json': smallCanvas({ id: 'near' }),
      'a.json': call('near'),
      'b.json': call('far'),
      'notes.json': '{',
    });
    const validate = async (...files: readonly string[]) => (await hilo(['validate', ...files], { cwd: folder.path })).code;
    expect(await validate('a.json')).toBe(0);
    expect(await validate('b.json')).toBe(1);
    expect(await validate('b.json', join(elsewhere.path, 'far.json'))).toBe(0);
  });

  it('names the agents of canvases beside that a file would be no tool for', async () => {
    const agent = smallCanvas({
      id: 'shop',
      nodes: [
        { id: 'begin', type: 'start', data: {} },
        {
          id: 'talk',
          type: 'agent',
          data: {
            model: { baseUrl: 'https://models.example/v1', name: 'small' },
            instructions: 'Sell.',
            tools: [{ kind: 'workflow', name: 'price', description: 'The price', risk: 'read', workflowId: 'price', inputs: {} }],
            exits: [{ name: 'left', when: 'All is said.' }],
          },
        },
        { id: 'done', type: 'end', data: {} },
      ],
    });
    using folder = folderWith({
      'shop.json': agent,
      'price.json': smallCanvas({ id: 'price', kind: 'tool', settings: { inputs: { code: { type: 'string' } } } }),
    });
    const validate = async (...files: readonly string[]) => {
      const { stdout } = await hilo(['validate', '--json', ...files], { cwd: folder.path });
      return (JSON.parse(stdout) as readonly Report[]).map(
        ({ problems }) => problems.filter(({ code }) => code === 'TOOL_MISMATCH').length,
      );
    };
    expect(await validate('price.json')).toEqual([1]);
    expect(await validate('price.json', 'shop.json')).toEqual([0, 1]); // the agent has it itself
  });

  it('shows what a file would do to a terminal instead of doing it', async () => {
    using folder = folderWith({ 'evil.json': smallCanvas({ id: 'evil\u001b]0;title\u0007' }), 'raw.json': '{"a": "\u001b[2J"}' });
    const { stdout } = await hilo(['validate', 'evil.json', 'raw.json'], { cwd: folder.path });
    expect(stdout).toContain('␛');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u0007');
  });

  it('counts what it does not draw', async () => {
    const nodes = Array.from({ length: 60 }, (_, index) => ({ id: `n${index}`, type: 'nothing' }));
    using folder = folderWith({ 'many.json': smallCanvas({ nodes, edges: [] }) });
    const { stdout } = await hilo(['validate', 'many.json'], { cwd: folder.path });
    expect(stdout).toMatch(/… and \d+ more problems in many\.json; --json lists all/);
  });
});
