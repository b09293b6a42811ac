// An expression means one thing wherever it is evaluated: by itself, in a simulation, in `hilo run` and in the service; and what the check refuses fails.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCanvasText } from '@hilo/engine';
import { compileJson, compileText, HiloError, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiloHere } from '../../packages/cli/test/hilo-in-process.ts';
import { expression, variables } from '../../packages/engine/test/arbitrary-expressions.ts';
import { takeEvent } from '../../packages/server/src/channels/channels.ts';
import type { RunningService } from '../../packages/server/src/service/open-service.ts';
import { withPlace } from '../../packages/server/test/data/open-for-test.ts';
import { simulate, virtualStartMs } from '../../packages/testing/src/index.ts';
import { recipeContext, recipeNow, recipes, recipeUser } from '../../scripts/docs/expression-recipes.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';

const userId = '51999000111';

/** Variables that a path is read from. */
function view(context: JsonObject, nowMs: number) {
  const root: Json = { $context: context, $user: { ...recipeUser, id: userId }, $company: {} };
  const get = (path: readonly (string | number)[]): Json | undefined =>
    path.reduce<Json | undefined>((value, step) => {
      if (Array.isArray(value)) return typeof step === 'number' ? (value as readonly Json[])[step] : undefined;
      return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }, root);
  return { get, nowMs };
}

/** What a text comes to, as the user reads it; the failure where it fails. */
function read(text: string, context: JsonObject): string {
  try {
    return compileText(text)(view(context, virtualStartMs));
  } catch (error) {
    if (error instanceof HiloError && error.code === 'EXPRESSION') return `EXPRESSION ${error.message}`;
    throw error;
  }
}

const compiles = (text: string): boolean => {
  try {
    compileText(text);
    return true;
  } catch (error) {
    if (error instanceof HiloError) return false;
    throw error;
  }
};

/** A canvas that says each text, and of one that fails, why. */
function canvasOf(id: string, texts: readonly string[], context: JsonObject): JsonObject {
  const say = (name: string, text: string) => ({ id: name, type: 'message', data: { message: { type: 'text', text } } });
  const next = (index: number): string => (index + 1 < texts.length ? `says${index + 1}` : 'done');
  return {
    schemaVersion: 1,
    id,
    name: id,
    variables: Object.fromEntries(Object.entries(context).map(([name, value]) => [name, { type: typeOf(name, value), default: value }])),
    nodes: [
      { id: 'begin', type: 'start', data: { keywords: ['go'] } },
      ...texts.flatMap((text, index) => [say(`says${index}`, text), say(`fails${index}`, '{{$error.cause}} {{$error.message}}')]),
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'says0' },
      ...texts.flatMap((_, index) => [
        { source: `says${index}`, sourceHandle: 'sent', target: next(index) },
        { source: `says${index}`, sourceHandle: 'error', target: `fails${index}` },
        { source: `fails${index}`, sourceHandle: 'sent', target: next(index) },
      ]),
    ],
  };
}

const typeOf = (name: string, value: Json): string =>
  name === 'x' ? 'any' : Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : typeof value;

/** The indices of the texts that the check refuses. */
function refusedOf(canvas: JsonObject): ReadonlySet<number> {
  const errors = checkCanvasText(canvas, { nodes: standardNodes }).filter(({ severity }) => severity === 'error');
  return new Set(errors.map(({ nodeId }) => Number(/^says(\d+)$/.exec(nodeId ?? '')?.[1])));
}

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hilo-meaning-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const textOf = (message: Json | undefined): string =>
  isJsonObject(message) && typeof message['text'] === 'string' ? message['text'] : 'no text';

async function inSimulation(canvas: JsonObject): Promise<readonly string[]> {
  const conversation = await simulate({ canvases: [canvas], user: { id: userId, phone: userId, ...recipeUser } });
  await conversation.says('go');
  return conversation.sent.map(textOf);
}

async function inTerminal(canvas: JsonObject, workspace: JsonObject): Promise<readonly string[]> {
  const files = { canvas: join(directory, 'canvas.json'), workspace: join(directory, 'workspace.json'), script: join(directory, 'go.txt') };
  await writeFile(files.canvas, JSON.stringify(canvas));
  await writeFile(files.workspace, JSON.stringify(workspace));
  await writeFile(files.script, 'user: go\n');
  const command = ['run', files.canvas, '--workspace', files.workspace, '--script', files.script, '--user', userId, '--json'];
  const { stdout, stderr } = await hiloHere(command);
  expect(stderr).toBe('');
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  return events.flatMap(({ effect, request }) => (effect === 'message.send' && isJsonObject(request) ? [textOf(request['message'])] : []));
}

let runs = 0;

async function inService(service: RunningService, workspace: JsonObject, id: string): Promise<readonly string[]> {
  await service.importWorkspace({ workspace });
  const known = service.companies.botOf(id, `bot${id}`);
  if (known === undefined) throw new Error('The bot was imported');
  const message = { type: 'text', text: 'go', id: `go${id}` } as const;
  const atMs = service.clock.now();
  await takeEvent(service, known, { kind: 'message', eventId: `go${id}`, user: { id: userId, phone: userId }, message, atMs });
  await service.engine.whenIdle();
  const { results } = await service.messages.list(id, `bot${id}`, { userId, limit: 100 });
  return results.filter(({ direction }) => direction === 'outbound').map((sent) => textOf(sent.message));
}

/** Says the texts everywhere, and compares with what each is by itself. */
async function meansTheSame(service: RunningService, texts: readonly string[], context: JsonObject): Promise<void> {
  const id = (runs += 1);
  const canvas = canvasOf(`w${id}`, texts, context);
  const expected = texts.map((text) => read(text, context));
  const workspace: JsonObject = {
    companies: [
      {
        id,
        name: 'Acme',
        plan: 'enterprise',
        bots: [{ id: `bot${id}`, name: 'Bot', channel: 'whatsapp', provider: { kind: 'log' }, connectedAt: '2026-01-01T00:00:00Z' }],
        users: [{ id: userId, ...recipeUser }],
        workflows: [{ canvas, publish: true }],
      },
    ],
  };
  expect(await inSimulation(canvas)).toEqual(expected);
  expect(await inTerminal(canvas, workspace)).toEqual(expected);
  expect(await inService(service, workspace, String(id))).toEqual(expected);
}

/** What decides by itself, or compares, may have a part that always fails. */
const mayDecide = /[?&|]|[!=]=|exists|all\(/;

const texts = fc.array(
  fc.tuple(expression, expression, fc.constantFrom('a{{1}}z', 'a{{1}}, {{2}}z', '¿{{1}}{{2}}? 👍', '"{{2}}" {{1}}\n.')),
  {
    minLength: 8,
    maxLength: 16,
  },
);

describe('an expression means one thing', () => {
  it.each(Object.values(recipes).flat())('%s: {{%s}}', (_, source, value) => {
    expect(compileJson(`{{${source}}}`)(view(recipeContext, Date.parse(recipeNow)))).toEqual(value);
  });

  it(
    'by itself, in a simulation, in hilo run and in the service',
    withPlace(async (place) => {
      const service = await place.open();
      await meansTheSame(
        service,
        Object.values(recipes).flatMap((rows) => rows.map(([wish, source]) => `${wish}: {{${source}}}`)),
        recipeContext,
      );
      await fc.assert(
        fc.asyncProperty(texts, variables, async (drawn, context) => {
          const filled = drawn
            .map(([first, second, text]) => text.replaceAll('{{1}}', () => `{{${first}}}`).replaceAll('{{2}}', () => `{{${second}}}`))
            .filter(compiles);
          const refused = filled.length === 0 ? new Set() : refusedOf(canvasOf('w', filled, context));
          const wronged = filled.filter(
            (text, index) => refused.has(index) && !mayDecide.test(text) && !read(text, context).startsWith('EXPRESSION'),
          );
          expect(wronged).toEqual([]);
          const accepted = filled.filter((_, index) => !refused.has(index));
          if (accepted.length > 0) await meansTheSame(service, accepted, context);
        }),
        fewRuns(24),
      );
    }),
  );
});
