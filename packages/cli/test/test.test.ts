import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, root, smallCanvas } from '../../server/test/hilo-process.ts';
import { hiloHere } from './hilo-in-process.ts';

const asking = smallCanvas({
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text: 'Hi!' } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'done' },
  ],
});
const transcript = 'user: hello\n  bot: Hi!\n  ended: completed\n';

describe('hilo test', () => {
  it('replays every transcript of a folder, and lists the ports by which none left', async () => {
    const { code, stdout } = await hiloHere(['test', 'examples/own-node', '--config', 'examples/own-node/hilo.config.ts']);
    expect(stdout).toContain('✔ examples/own-node/transcripts/qualify-lead.txt');
    expect(stdout).toMatch(/ports of qualify-lead taken, never:\n {2}who\.invalid/);
    expect(stdout).toContain('2 transcripts as they are written');
    expect(code).toBe(0);
  });

  it('replays canvases with those that they send events to', async () => {
    const { code, stdout } = await hiloHere(['test', join(root, 'examples/transcripts/parcel-arrived.txt')]);
    expect(stdout).toContain('1 transcript as they are written');
    expect(code).toBe(0);
  });

  it('replays canvases beside those that --with names, such as one that a keyword begins', async () => {
    const other = smallCanvas({
      id: 'other',
      nodes: [
        { id: 'begin', type: 'start', data: { keywords: ['bye'] } },
        { id: 'done', type: 'end', data: {} },
      ],
      edges: [{ source: 'begin', target: 'done' }],
    });
    using folder = folderWith({
      'small.json': asking,
      'small.txt': `${transcript}user: bye\n  other ended: completed\n`,
      'other.json': other,
    });
    const alone = await hiloHere(['test'], { cwd: folder.path });
    expect(alone.stdout).toContain('-   other ended: completed');
    expect(alone.code).toBe(1);
    const { code, stdout } = await hiloHere(['test', '--with', 'other.json'], { cwd: folder.path });
    expect(stdout).toContain('1 transcript as they are written');
    expect(code).toBe(0);
  });

  it('reads a canvas once, however many call it: its problems are reported once', async () => {
    const caller = (id: string): object =>
      smallCanvas({
        id,
        nodes: [
          { id: 'begin', type: 'start', data: { keywords: [id] } },
          { id: 'call', type: 'workflow', data: { workflowId: 'broken' } },
          { id: 'done', type: 'end', data: {} },
        ],
        edges: [
          { source: 'begin', target: 'call' },
          { source: 'call', sourceHandle: 'success', target: 'done' },
        ],
      });
    using folder = folderWith({
      'one.json': caller('one'),
      'two.json': caller('two'),
      'broken.json': smallCanvas({ id: 'broken', kind: 'tool', nodes: [{ id: 'begin', type: 'bogus', data: {} }], edges: [] }),
      'one.txt': 'user: one\n',
      'one.again.txt': 'user: one\n',
      'two.txt': 'user: two\n',
    });
    const { code, stdout, stderr } = await hiloHere(['test'], { cwd: folder.path });
    expect(stderr.split('There is no node type "bogus"')).toHaveLength(2);
    expect(stdout).toContain('3 of 3 transcripts not as written');
    expect(code).toBe(1);
  });

  it('shows line by line what differs, and fails', async () => {
    using folder = folderWith({ 'small.json': asking, 'small.txt': transcript, 'small.other.txt': transcript.replace('Hi!', 'Ho!') });
    const { code, stdout } = await hiloHere(['test'], { cwd: folder.path });
    expect(stdout).toContain('✔ small.txt');
    expect(stdout).toContain('✖ small.other.txt\n  user: hello');
    expect(stdout).toContain('-   bot: Ho!');
    expect(stdout).toContain('+   bot: Hi!');
    expect(stdout).toContain('1 of 2 transcripts not as written');
    expect(code).toBe(1);
  });

  it('says at which node a conversation failed, and why, as a run by a script does', async () => {
    const failing = smallCanvas({
      nodes: [
        { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
        { id: 'zone', type: 'set', data: { assignments: [{ path: '$context.zone', value: '{{$user.timeZone}}' }] } },
        { id: 'done', type: 'end', data: {} },
      ],
      edges: [
        { source: 'begin', target: 'zone' },
        { source: 'zone', target: 'done' },
      ],
    });
    using folder = folderWith({ 'small.json': failing, 'small.txt': 'user: hello\n' });
    const why = /✖ \S+ failed at "zone": EXPRESSION {2}Expression \{\{\$user\.timeZone\}\}: \$user\.timeZone is missing/;
    expect((await hiloHere(['test'], { cwd: folder.path })).stdout).toMatch(why);
    const run = await hiloHere(['run', 'small.json', '--script', 'small.txt'], { cwd: folder.path });
    expect(run.stdout).toBe('user: hello\n  ended: failed EXPRESSION\n');
    expect(run.stderr).toMatch(why);
  });

  it('reads files as editors of Windows write them: with a byte order mark and other line ends', async () => {
    const windows = (text: string): string => `\ufeff${text.replaceAll('\n', '\r\n')}`;
    using folder = folderWith({
      'small.txt': windows(`# A remark.\n${transcript}`),
      'small.json': windows(JSON.stringify(asking, null, 2)),
    });
    expect(await hiloHere(['test'], { cwd: folder.path })).toMatchObject({ code: 0 });
  });

  it('writes what happens with --update', async () => {
    using folder = folderWith({ 'small.json': asking, 'small.txt': '# A remark stays.\nuser: hello\n' });
    expect(await hiloHere(['test', '--update'], { cwd: folder.path })).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder.path, 'small.txt'), 'utf8')).toBe(`# A remark stays.\n${transcript}`);
    expect(await hiloHere(['test'], { cwd: folder.path })).toMatchObject({ code: 0 });
  });

  it('prints one document with --json', async () => {
    using folder = folderWith({ 'small.json': asking, 'small.txt': transcript, 'small.bad.txt': 'nonsense\n' });
    const { code, stdout } = await hiloHere(['test', '--json'], { cwd: folder.path });
    expect(JSON.parse(stdout)).toEqual({
      transcripts: [
        { file: 'small.bad.txt', canvas: 'small.json', ok: false, kind: 'failed', told: expect.stringMatching(/line 1/i) as string },
        { file: 'small.txt', canvas: 'small.json', ok: true, kind: 'same' },
      ],
      coverage: [{ workflowId: 'small', taken: expect.any(Array) as unknown, never: [] }],
    });
    expect(code).toBe(1);
  });

  it.for([
    ['a place that is not there', ['test', 'nowhere'], 'nowhere: there is no such file or folder'],
    ['a folder without transcripts', ['test'], 'There is no transcript here'],
    ['a file without a canvas', ['test', 'notes.txt'], 'there is no canvas notes.json'],
    ['a canvas in place of its transcripts', ['test', 'small.json', '--update'], 'small.json is no transcript'],
  ] as const)('refuses %s in one line', async ([, args, message]) => {
    using folder = folderWith({ 'notes.txt': 'milk', 'small.json': '{}' });
    const { code, stderr } = await hiloHere([...args], { cwd: folder.path });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });

  it('fails for each transcript of a canvas that cannot run, and reports why once', async () => {
    using folder = folderWith({ 'small.json': smallCanvas({ edges: [] }), 'small.txt': transcript, 'small.two.txt': transcript });
    const { code, stdout, stderr } = await hiloHere(['test'], { cwd: folder.path });
    expect(stdout).toContain('✖ small.txt: small.json cannot run');
    expect(stdout).toContain('✖ small.two.txt: small.json cannot run');
    expect(stderr.match(/small\.json cannot run/g)).toHaveLength(1);
    expect(code).toBe(1);
  });
});
