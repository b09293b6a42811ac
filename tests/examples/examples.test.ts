import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createMemoryStore, parseCanvas, checkCanvasText } from '@hilo/engine';
import type { Canvas, HistoryRecord, JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayScript, simulatedIds } from '../../packages/testing/src/index.ts';
import { findCompany } from '../../packages/cli/src/run/company.ts';
import { uncoveredPorts } from '../../packages/simulator/src/paths-of.ts';

const examples = new URL('../../examples/', import.meta.url);
/** Who speaks in the transcripts. */
const anaId = '5215512345678';

/** Folders with canvases and transcripts: the examples, and the workspace of a new project. */
const folders = [
  { folder: 'examples', url: examples, talk: {} },
  { folder: 'examples/workspace', url: new URL('workspace/', examples), talk: await companyOf(new URL('workspace/', examples)) },
] as const;

/** Problems that a check may report: the workspace has this canvas to show them. */
const expectedProblems: { readonly [file: string]: readonly string[] } = { 'no-methods.json': ['WEBHOOK_WITHOUT_METHODS'] };

/** Ports with an edge that no transcript leaves by, with the reason. */
const neverLeftBy: readonly string[] = [
  // The channel refuses a well-formed message: a script cannot cause it.
  'abandoned-cart: last.error',
  'abandoned-cart: remind.error',
  'appointment: remind.error',
  'booking: reminder.error',
  'order-status: again.error',
  'order-status: broken.error',
  'order-status: given-up.error',
  'order-status: kept.error',
  'order-status: lost.error',
  'order-status: shipped.error',
  'order-status: silent.error',
  'order-status: unclear.error',
  'order-status: which.error',
  'payment-once: late.error',
  'payment-reminder: late.error',
  // Another system answers after a day of silence.
  'appointment: place.windowClosed',
  'support-bot: more.windowClosed',
  // Code that fails, where the model keeps to its schema, and what it is given was checked.
  'check-digits: check.error',
  'sort-mail: plan.error',
  // The operators' desk cannot be reached: a script cannot cause it either.
  'lead-qualification: person.error',
  // A webhook without methods lets nothing in.
  'no-methods: wn1.new',
];

const canvases = folders.flatMap(({ folder, url }) =>
  filesIn(new URL('canvases/', url), '.json').map(({ file, text }) => ({ folder, file, text, canvas: parsed(text) })),
);
/** `ID.txt` and `ID.ANYTHING.txt` are of the canvas with this id. */
const transcripts = folders.flatMap(({ folder, url, talk }) =>
  filesIn(new URL('transcripts/', url), '.txt').map(({ file, path, text }) => ({
    folder,
    file,
    path,
    text,
    talk,
    id: file.split('.', 1)[0] ?? '',
  })),
);

describe('the canvases', () => {
  it.each(canvases)('have no problem: $folder, $file', ({ file, text }) => {
    const problems = checkCanvasText(text, { nodes: standardNodes, channels: ['whatsapp'] });
    expect(problems.map(({ code }) => code)).toEqual(expectedProblems[file] ?? []);
  });

  it.each(canvases)('are named after their id and have a transcript: $folder, $file', ({ folder, file, canvas }) => {
    expect(file).toBe(`${canvas.id}.json`);
    expect(transcripts).toContainEqual(expect.objectContaining({ folder, id: canvas.id }));
  });

  it('number at least twelve, of which one has sixty nodes', () => {
    expect(canvases.length).toBeGreaterThanOrEqual(12);
    expect(Math.max(...canvases.map(({ canvas }) => canvas.nodes.filter(({ type }) => type !== 'note').length))).toBe(60);
  });
});

describe('the transcripts', () => {
  const histories: (readonly HistoryRecord[])[] = [];

  it.each(transcripts)('are what happens: $folder, $file', async ({ folder, path, text, talk, id }) => {
    const store = createMemoryStore();
    const replayed = await replayScript(family(folder, id), text, { ...talk, store });
    const { results } = await store.list(simulatedIds.companyId, { limit: 1_000 });
    for (const { executionId } of results) histories.push(await store.history(simulatedIds.companyId, executionId));
    await expect(replayed).toMatchFileSnapshot(path); // byte for byte; `vitest run -u` writes what happens now
  });

  it('belong to a canvas each', () => {
    expect(transcripts.filter(({ folder, id }) => family(folder, id).length === 0)).toEqual([]);
  });

  it('visit every type of node, and a canvas has every remark', () => {
    const typesOf = (isRemark: boolean) => standardNodes.filter((node) => node.isRemark === isRemark).map(({ type }) => type);
    const visited = new Set(histories.flat().flatMap(({ entries }) => entries.map(({ type }) => type)));
    expect([...visited].toSorted()).toEqual(typesOf(false).toSorted());
    expect(canvases.flatMap(({ canvas }) => canvas.nodes.map(({ type }) => type))).toEqual(expect.arrayContaining(typesOf(true)));
  });

  it('leave by every connected port, except for the listed ones', () => {
    const never = canvases.flatMap(({ canvas }) => uncoveredPorts(canvas, histories).never.map((port) => `${canvas.id}: ${port}`));
    expect(never.toSorted()).toEqual([...neverLeftBy].toSorted());
  });
});

describe('the program that embeds the engine', () => {
  const file = fileURLToPath(new URL('embed/main.ts', examples));
  let program: ChildProcessByStdio<null, Readable, null>;
  let lines: NodeJS.AsyncIterator<string>;
  const folder = mkdtempSync(join(tmpdir(), 'hilo-embed-'));
  const env = { ...process.env, PORT: '0', BOT_DB: join(folder, 'bot.db') };
  const begin = (): void => {
    program = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  };
  beforeAll(begin);
  afterAll(async () => {
    program.kill();
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
    rmSync(folder, { recursive: true });
  });

  it('has at most 40 lines', () => {
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  it('starts the canvas, asks the user, and accepts the answer after it was killed', async () => {
    let port = await portOfLine();
    const post = (path: string, body: JsonObject) =>
      fetch(`http://localhost:${port}${path}`, { method: 'POST', body: JSON.stringify(body) });

    const started = await post('/webhook', { id: 'A-7', customer: { phone: '51999000111' } });
    expect(await started.json()).toMatchObject({ mode: 'new', isNewExecution: true });
    await lineWith(/Hi there, your order A-7 is ready. Shall we deliver it\?/);
    program.kill('SIGKILL');
    await once(program, 'exit');
    begin();
    port = await portOfLine(); // the message may be repeated before it, under its key, if its result was not stored yet
    const yes = { id: 'm-1', from: '51999000111', text: 'Yes' };
    expect(await (await post('/message', yes)).json()).toEqual({ outcome: 'resumed' });
    await lineWith(/On its way!/);
    // The id is the channel's: a delivery that comes again is the same, and one without an id is refused.
    expect(await (await post('/message', yes)).json()).toEqual({ outcome: 'duplicate' });
    expect((await post('/message', { from: '51999000111', text: 'Yes' })).status).toBe(400);
    expect((await post('/webhook', { id: 'A-8' })).status).toBe(400);
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
  });

  it.each([
    ['has no shape of one', { schemaVersion: 1 }, /error \/id: .*missing/],
    [
      'cannot be published',
      { schemaVersion: 1, id: 'order-ready', name: 'X', nodes: [{ id: 'done', type: 'end' }], edges: [] },
      /error \/nodes: .*nothing can begin it/,
    ],
  ])('ends with the problems of a canvas that %s', async (_what, canvas, told) => {
    const folder = mkdtempSync(join(tmpdir(), 'hilo-embed-'));
    writeFileSync(join(folder, 'canvas.json'), JSON.stringify(canvas));
    const refused = spawn(process.execPath, [file, join(folder, 'canvas.json')], {
      env: { ...process.env, BOT_DB: join(folder, 'bot.db') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [stderr] = await Promise.all([textOf(refused.stderr), once(refused, 'exit')]);
    rmSync(folder, { recursive: true });
    expect([refused.exitCode, stderr]).toEqual([1, expect.stringMatching(told)]);
  });

  /** The next line that matches; a message whose sending was not recorded before the kill is written again before it. */
  const lineWith = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`The program ended without ${pattern.source}`);
      const found = pattern.exec(value);
      if (found !== null) return found;
    }
  };
  const portOfLine = async (): Promise<string> => (await lineWith(/port: (\d+)/))[1] ?? '';
});

function filesIn(folder: URL, ending: string): readonly { readonly file: string; readonly path: string; readonly text: string }[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(ending));
  return files.toSorted().map((file) => {
    const path = fileURLToPath(new URL(file, folder));
    return { file, path, text: readFileSync(path, 'utf8') };
  });
}

function parsed(text: string): Canvas {
  const { canvas, problems } = parseCanvas(text);
  if (canvas === undefined) throw new Error(problems[0]?.message);
  return canvas;
}

/** The canvas with this id and those of its folder that it calls, jumps to, or sends an event to, and so on. */
function family(folder: string, id: string, found: readonly Canvas[] = []): readonly Canvas[] {
  const canvas = canvases.find((one) => one.folder === folder && one.canvas.id === id)?.canvas;
  if (canvas === undefined || found.includes(canvas)) return found;
  const called = canvas.nodes.flatMap(({ data }) =>
    [...JSON.stringify(data).matchAll(/"workflowId":"([^"]+)"/g)].map(([, name = '']) => name),
  );
  const sent = new Set(canvas.nodes.flatMap(({ type, data }) => (type === 'send-event' ? [data['name']] : [])));
  const isTold = (one: Canvas): boolean => one.nodes.some(({ type, data }) => type === 'wait-event' && sent.has(data['name']));
  const told = canvases.flatMap((one) => (one.folder === folder && isTold(one.canvas) ? [one.canvas.id] : []));
  return [...called, ...told].reduce((all: readonly Canvas[], name) => family(folder, name, all), [...found, canvas]);
}

/** The company, the bot and the user of the canvases of a folder, as `hilo test` finds them. */
async function companyOf(folder: URL) {
  const file = fileURLToPath(new URL('canvases/any.json', folder));
  const { company, bot, user } = (await findCompany(file, undefined, { channel: 'whatsapp', userId: anaId })) ?? {};
  return { ...(company && { company }), ...(bot && { bot }), ...(user && { user }) };
}
