import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkCanvasText } from '@hilo/engine';
import { isJsonObject, type Json } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { replayTalk } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { folderWith, root } from '../../server/test/hilo-process.ts';
import { hiloHere } from './hilo-in-process.ts';

const example = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('hilo cover', () => {
  it('writes transcripts that hilo test plays, and the second time none', async () => {
    using folder = folderWith({});
    const cwd = folder.path;
    mkdirSync(join(cwd, 'canvases'));
    writeFileSync(join(cwd, 'canvases/take-away.json'), example('examples/canvases/take-away.json'));
    const first = await hiloHere(['cover', 'canvases/take-away.json', '--write', 'transcripts'], { cwd });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('11 of 11 ports of canvases/take-away.json: 0 by transcripts, 11 by');
    const written = readdirSync(join(cwd, 'transcripts'));
    expect(written.length).toBeGreaterThan(1);
    for (const name of written) expect(name).toMatch(/^take-away\.[\w-]+\.txt$/);
    const second = await hiloHere(['cover', 'canvases/take-away.json', '--write', 'transcripts', '--json'], { cwd });
    expect(JSON.parse(second.stdout)).toEqual({ canvases: [{ canvas: 'canvases/take-away.json', taken: 11, talks: [], never: [] }] });
    expect(readdirSync(join(cwd, 'transcripts'))).toEqual(written);
    const tested = await hiloHere(['test', 'transcripts'], { cwd });
    expect(tested).toMatchObject({ code: 0 });
    expect(tested.stdout).toContain('11 of 11 ports of take-away taken');
  });

  it('counts what transcripts beside the canvases and in the folder that is written to take, and writes beside other files', async () => {
    using folder = folderWith({});
    const cwd = folder.path;
    for (const name of ['canvases', 'talks']) mkdirSync(join(cwd, name));
    writeFileSync(join(cwd, 'canvases/take-away.json'), example('examples/canvases/take-away.json'));
    const cover = async (...more: readonly string[]) => {
      const { stdout } = await hiloHere(['cover', 'canvases/take-away.json', '--json', ...more], { cwd });
      return (JSON.parse(stdout) as { readonly canvases: readonly { readonly taken: number; readonly talks: readonly object[] }[] })
        .canvases[0];
    };
    await cover('--write', 'transcripts');
    const [first = '', ...others] = readdirSync(join(cwd, 'transcripts'));
    for (const name of others) renameSync(join(cwd, 'transcripts', name), join(cwd, 'talks', name));
    const known = await cover();
    expect(known?.taken).toBeGreaterThan(0);
    expect(known?.taken).toBeLessThan(11);
    expect(await cover('--write', 'talks')).toMatchObject({ taken: 11, talks: [] });
    writeFileSync(join(cwd, 'transcripts', first), ''); // of which hilo test says what is wrong
    for (const name of others) rmSync(join(cwd, 'talks', name));
    for (const name of others) writeFileSync(join(cwd, 'transcripts', name), '');
    expect(await cover('--write', 'transcripts')).toMatchObject({ taken: 0 });
    const second = readdirSync(join(cwd, 'transcripts')).filter((name) => name !== first && !others.includes(name));
    expect(second.toSorted()).toEqual([first, ...others].map((name) => name.replace('.txt', '-2.txt')).toSorted());
  });

  it('shows conversations where nothing is to be written, and names ports without one', async () => {
    using folder = folderWith({ 'sort-mail.json': example('examples/canvases/sort-mail.json') });
    const cwd = folder.path;
    const { code, stdout } = await hiloHere(['cover', 'sort-mail.json'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('webhook: POST');
    expect(stdout).toContain('no conversation was found for: plan.error');
    const [, reached = '', all = ''] = /^(\d+) of (\d+) ports of sort-mail\.json: 0 by transcripts/.exec(stdout) ?? [];
    expect(Number(all)).toBe(Number(reached) + 1);
  });

  it('refuses a folder in which hilo test would not find the canvas, and a canvas that cannot run', async () => {
    using folder = folderWith({});
    const cwd = folder.path;
    for (const name of ['a', 'b']) mkdirSync(join(cwd, name));
    writeFileSync(join(cwd, 'a/one.json'), example('examples/canvases/greeting.json'));
    writeFileSync(join(cwd, 'a/two.json'), '{}');
    expect(await hiloHere(['cover', 'a/one.json', '--write', 'b'], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('hilo test would not find a/one.json from b') as string,
    });
    expect(await hiloHere(['cover', 'a/two.json'], { cwd })).toMatchObject({ code: 1 });
    writeFileSync(join(cwd, 'b/one.json'), example('examples/canvases/take-away.json')); // hilo test would take that one
    expect(await hiloHere(['cover', 'a/one.json', '--write', 'b'], { cwd })).toMatchObject({ code: 1, stdout: '' });
    expect(readdirSync(join(cwd, 'b'))).toEqual(['one.json']);
  });
});

/** The problems that `hilo validate --json` prints of one file. */
function readProblems(
  stdout: string,
): readonly { readonly code: string; readonly way?: readonly Json[]; readonly nodeId?: string; readonly dialogue?: string | null }[] {
  const [report] = JSON.parse(stdout) as readonly [{ readonly problems: ReturnType<typeof readProblems> }];
  return report.problems;
}

/** The errors of the page of problems whose example has a way to them. */
const errorsWithWay = globSync(join(root, 'packages/engine/test/problem-examples/*.json')).flatMap((file) => {
  const code = basename(file, '.json');
  const found = checkCanvasText(readFileSync(file, 'utf8'), { nodes: standardNodes });
  return found.some((one) => one.code === code && one.severity === 'error' && one.way !== undefined) ? [code] : [];
});

describe('hilo validate --dialogues', () => {
  it('is asked for each error that has a way', () =>
    expect(errorsWithWay).toEqual(expect.arrayContaining(['BUSY_LOOP', 'UNREACHABLE_EXIT', 'UNWRITTEN_VARIABLE', 'WINDOW_SURELY_CLOSED'])));

  it.each(errorsWithWay)('shows %s as a conversation that hilo run --unchecked plays, and that visits the node', async (code) => {
    const canvas = example(`packages/engine/test/problem-examples/${code}.json`);
    using folder = folderWith({ 'broken.json': canvas });
    const cwd = folder.path;
    const { stdout } = await hiloHere(['validate', '--dialogues', '--json', 'broken.json'], { cwd });
    const problem = readProblems(stdout).find((one) => one.code === code);
    if (typeof problem?.dialogue !== 'string') throw new Error(`No conversation was found: ${stdout}`);
    writeFileSync(join(cwd, 'script.txt'), problem.dialogue);
    const run = await hiloHere(['run', '--unchecked', 'broken.json', '--script', 'script.txt'], { cwd });
    expect(run).toMatchObject({ code: 0 });
    const executions = await (await replayTalk([canvas], problem.dialogue, { runsUnchecked: true })).executions();
    expect(executions.some(({ state }) => (state.visits[problem.nodeId ?? ''] ?? 0) > 0)).toBe(true);
    expect((await hiloHere(['run', 'broken.json', '--script', 'script.txt'], { cwd })).code).toBe(1);
    const drawn = (await hiloHere(['validate', '--dialogues', 'broken.json'], { cwd })).stdout;
    for (const line of problem.dialogue.trimEnd().split('\n')) expect(drawn).toContain(`│    ${line}`);
  });

  it('goes through workflows of the folder that the canvas calls', async () => {
    const flow = (id: string, nodes: readonly object[], edges: readonly object[]) => ({ schemaVersion: 1, id, name: id, nodes, edges });
    const [begin, done] = [
      { id: 'begin', type: 'start', data: { fallback: true } },
      { id: 'done', type: 'end' },
    ];
    const calling = flow(
      'calling',
      [
        begin,
        { id: 'call', type: 'workflow', data: { workflowId: 'called' } },
        { id: 'say', type: 'message', data: { message: { type: 'text', text: 'Hello {{$context.who}}' } } },
        done,
      ],
      [
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'say' },
        { source: 'say', sourceHandle: 'sent', target: 'done' },
      ],
    );
    const called = { ...flow('called', [{ id: 'begin', type: 'start' }, done], [{ source: 'begin', target: 'done' }]), kind: 'tool' };
    using folder = folderWith({ 'calling.json': JSON.stringify(calling), 'called.json': JSON.stringify(called) });
    const { stdout } = await hiloHere(['validate', '--dialogues', '--json', 'calling.json'], { cwd: folder.path });
    const problem = readProblems(stdout).find(({ code }) => code === 'UNWRITTEN_VARIABLE');
    expect(problem?.dialogue).toBe('user: hello\n');
  });

  it('looks for none behind another error of the same variable, and says which that is', async () => {
    const json = JSON.parse(example('examples/canvases/booking.json')) as {
      readonly nodes: readonly { readonly id: string; readonly data: Json }[];
    };
    const nodes = json.nodes.map((node) => {
      if (node.id !== 'day' || !isJsonObject(node.data)) return node;
      const { saveAs: _forgotten, ...data } = node.data;
      return { ...node, data };
    });
    using folder = folderWith({ 'broken.json': JSON.stringify({ ...json, nodes }) });
    const cwd = folder.path;
    const { stdout } = await hiloHere(['validate', '--dialogues', '--json', 'broken.json'], { cwd });
    const unwritten = readProblems(stdout).filter(({ code }) => code === 'UNWRITTEN_VARIABLE');
    expect(unwritten.map(({ dialogue }) => typeof dialogue)).toEqual(['string', 'undefined', 'undefined', 'undefined']);
    expect(unwritten.slice(1)).toEqual(unwritten.slice(1).map(() => expect.objectContaining({ follows: 'free' }) as object));
  });
});

describe('hilo run --unchecked', () => {
  it('runs what can be compiled of a canvas, and leaves out the rest', async () => {
    using folder = folderWith({
      'broken.json': JSON.stringify({
        schemaVersion: 1,
        id: 'broken',
        name: 'Broken',
        nodes: [
          { id: 'begin', type: 'start', data: { fallback: true } },
          { id: 'hello', type: 'message', data: { message: { type: 'text', text: 'Hello' } } },
          { id: 'gone', type: 'no-such-type', data: {} },
        ],
        edges: [
          { source: 'begin', target: 'hello' },
          { source: 'hello', sourceHandle: 'sent', target: 'gone' },
        ],
      }),
      'script.txt': 'user: hi\n',
    });
    const cwd = folder.path;
    const { code, stdout } = await hiloHere(['run', '--unchecked', 'broken.json', '--script', 'script.txt'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe('user: hi\n  bot: Hello\n  ended: failed DEAD_END\n');
  });
});
