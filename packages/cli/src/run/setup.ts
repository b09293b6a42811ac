// What a run needs of files: canvases, workspace, scripts and the project of a host.
import { dirname } from 'node:path';
import type { Canvas, Channel } from '@hilo/engine/contract';
import { isBsuid } from '@hilo/nodes';
import { type CheckParts, loadCheckParts } from '@hilo/server/parts';
import type { SimulatedCompany, SimulatedUser, SimulationOptions } from '@hilo/simulator';
import { checkFile, isSound, parseFile, readCanvasFile } from '../canvas-file.ts';
import { findCompany, type FoundCompany, type Plan, type Talk, withPlan } from './company.ts';
import { drawProblem } from '../draw-problem.ts';
import { canvasesBeside, type FoundCanvas, waitersFor, listCalledWorkflows } from '../neighbours.ts';
import { getColumns, painter, printable } from '../paint.ts';

/** Canvases, and the circumstances that they run in. */
export interface RunSetup {
  readonly main: Canvas;
  /** The main canvas first, then those it calls. */
  readonly canvases: readonly Canvas[];
  readonly channel: Channel;
  readonly user: SimulatedUser;
  readonly company: SimulatedCompany;
  readonly bot: SimulationOptions['bot'];
  /** What the project adds to Hilo: its drivers perform the effects of its nodes. */
  readonly parts: Pick<CheckParts, 'nodes' | 'drivers'>;
  /** What ids and draws derive from. */
  readonly seed: number;
  /** Whether its canvases run with their errors. */
  readonly runsUnchecked: boolean;
}

/** A setup in the terms of the simulator. */
export const createSimulationOptions = ({
  main,
  channel,
  user,
  company,
  bot,
  seed,
  runsUnchecked,
  parts: { nodes, drivers },
}: RunSetup) => ({
  runsUnchecked,
  main: main.id,
  channel,
  user,
  company,
  ...(bot !== undefined && { bot }),
  seed,
  nodes,
  drivers,
});

/** The options of the command line. */
export interface SetupOptions {
  /** Files of further canvases that may be called. */
  readonly with?: readonly string[];
  readonly channel: Channel;
  /** Ana, when left out. */
  readonly user?: string;
  readonly plan?: Plan;
  readonly workspace?: string;
  readonly seed: number;
  /** Whether a canvas runs that could not be published. */
  readonly unchecked?: true;
  /** The file with what the project adds to Hilo. */
  readonly config?: string;
}

/** The files around canvases, each read once however many canvases run. */
export interface ProjectFiles {
  readonly parts: () => Promise<CheckParts>;
  readonly findCompany: (file: string, talk: Talk) => Promise<FoundCompany | undefined>;
  /** The canvas of a file; `undefined` when it cannot run, and its problems have been printed then, once. */
  readonly readSound: (file: string) => Promise<Canvas | undefined>;
  readonly canvasesBeside: (files: readonly string[]) => Promise<ReadonlyMap<string, FoundCanvas>>;
}

/** The files around canvases, read on demand and once. */
export function projectFiles({ config, workspace, unchecked }: Pick<SetupOptions, 'config' | 'workspace' | 'unchecked'>): ProjectFiles {
  const parts = once(
    () => loadCheckParts(config),
    () => '',
  );
  return {
    parts,
    findCompany: once(
      (file: string, talk: Talk) => findCompany(file, workspace, talk),
      (file, { channel, userId }) => [dirname(file), channel, userId].join('\n'),
    ),
    readSound: once(
      async (file: string) => readSound(file, await parts(), unchecked === true),
      (file) => file,
    ),
    canvasesBeside: once(canvasesBeside, (files) => files.map((file) => dirname(file)).join('\n')),
  };
}

/** Runs a function once for each key, and returns the same result from then on. */
function once<Inputs extends readonly unknown[], Answer>(
  work: (...inputs: Inputs) => Promise<Answer>,
  keyOf: (...inputs: Inputs) => string,
): (...inputs: Inputs) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (...inputs) => {
    const key = keyOf(...inputs);
    const answer = answers.get(key) ?? work(...inputs);
    answers.set(key, answer);
    return answer;
  };
}

/**
 * Reads and checks the canvas and those that it calls, and finds the company for which they run.
 *
 * @returns `undefined` when a canvas cannot run; its problems have been printed
 */
export async function prepareRun(
  file: string,
  { with: others = [], channel, user, plan, seed, unchecked, ...named }: SetupOptions,
  files: ProjectFiles = projectFiles({ ...named, ...(unchecked !== undefined && { unchecked }) }),
): Promise<RunSetup | undefined> {
  const found = await files.findCompany(file, { channel, userId: user ?? anaId });
  const parts = await files.parts();
  const main = await files.readSound(file);
  const given = await Promise.all(others.map(files.readSound));
  if (main === undefined || given.includes(undefined)) return undefined;
  const canvases = await addCalledCanvases(
    [main, ...given.flatMap((canvas) => canvas ?? [])],
    await files.canvasesBeside([file, ...others]),
    files,
  );
  return (
    canvases && {
      main,
      canvases,
      parts,
      channel,
      seed,
      runsUnchecked: unchecked === true,
      user: createUser(user, channel, found?.user),
      company: withPlan(found?.company ?? {}, plan),
      bot: found?.bot,
    }
  );
}

/** @param takesErrors - whether a canvas is taken that could not be published, provided that it has the shape of one */
async function readSound(file: string, parts: CheckParts, takesErrors: boolean): Promise<Canvas | undefined> {
  const read = await readCanvasFile(file);
  const problems = await checkFile(read, { parts });
  const canvas = read.kind === 'text' && (takesErrors || isSound(problems)) ? parseFile(read).canvas : undefined;
  if (canvas !== undefined) return canvas;
  const errors = problems.filter(({ problem }) => problem.severity === 'error').slice(0, maxPrinted);
  const paint = painter(process.stderr);
  process.stderr.write(`${errors.map((problem) => drawProblem(problem, paint, getColumns(process.stderr))).join('\n\n')}\n\n`);
  process.stderr.write(paint('red', `✖ ${printable(file)} cannot run`) + '\n');
  return undefined;
}

const maxPrinted = 10;

/** The given canvases, those that they call or send an event to, and so on. */
async function addCalledCanvases(
  given: readonly Canvas[],
  beside: ReadonlyMap<string, FoundCanvas>,
  files: ProjectFiles,
): Promise<readonly Canvas[] | undefined> {
  const canvases = new Map(given.map((canvas) => [String(canvas.id), canvas]));
  const { nodes } = await files.parts();
  const missing = new Set<string>();
  for (const canvas of canvases.values()) {
    for (const id of [...listCalledWorkflows(canvas, nodes), ...waitersFor(canvas, beside)]) {
      const found = beside.get(id);
      if (canvases.has(id)) continue;
      if (found === undefined) missing.add(id);
      // Entries added here are visited by this same loop.
      else if ((await files.readSound(found.file)) === undefined) return undefined;
      else canvases.set(id, found.canvas);
    }
  }
  for (const id of missing) {
    process.stderr.write(
      `${painter(process.stderr)('yellow', 'warning')} Workflow "${printable(id)}" is called, and no file of this folder that can be read has it: name its file with --with, or check it with hilo validate\n`,
    );
  }
  return [...canvases.values()];
}

const anaId = '5215512345678';

/** The user of the conversation: as the workspace has them; Ana, when the flags name none. */
function createUser(given: string | undefined, channel: Channel, known: SimulatedUser | undefined): SimulatedUser {
  const id = given ?? anaId;
  const names = given === undefined && known === undefined ? { names: 'Ana' } : {};
  if (channel !== 'whatsapp') return { id, ...names, ...known };
  return { id, ...names, ...(isBsuid(id) ? { bsuid: id } : { phone: id }), ...known };
}
