import { parseCanvas } from '@hilo/engine';
import type { Canvas, Channel } from '@hilo/engine/contract';
import { isBsuid } from '@hilo/nodes';
import { type CompleteParts, loadConfig } from '@hilo/server/kit';
import type { SimulatedUser } from '@hilo/simulator';
import { checkFile, isSound } from '../check-file.ts';
import { companyFor, type Plan, withPlan } from './company.ts';
import { drawProblem } from '../draw-problem.ts';
import { canvasesBeside, waitersFor, workflowsNamedBy } from '../neighbours.ts';
import { columnsOf, painter } from '../paint.ts';
import { printable } from '../printable.ts';
import { readCanvasFile } from '../read-canvas.ts';
import type { Stage } from './stage.ts';

/** What a run is told about its circumstances. */
export interface StageOptions {
  /** Files of further canvases that may be called. */
  readonly with?: readonly string[];
  readonly channel: Channel;
  /** Ana, when left out. */
  readonly user?: string;
  readonly plan?: Plan;
  readonly workspace?: string;
  readonly seed: number;
  /** The file with what the project adds to Hilo. */
  readonly config?: string;
}

/** Reads, checks and brings together what runs; tells what keeps it from running. */
export async function setStage(
  file: string,
  { with: others = [], channel, user, plan, workspace, seed, config }: StageOptions,
): Promise<Stage | undefined> {
  const found = await companyFor(file, workspace);
  const parts = await loadConfig(config);
  const main = await soundCanvas(file, parts);
  const given = await Promise.all(others.map((other) => soundCanvas(other, parts)));
  if (main === undefined || given.includes(undefined)) return undefined;
  const canvases = await family([main, ...given.flatMap((canvas) => canvas ?? [])], [file, ...others], parts);
  return canvases && { main, canvases, parts, channel, seed, user: userFor(user, channel), company: withPlan(found?.company ?? {}, plan) };
}

/** The canvas of a file; `undefined`, and its problems are told, when it cannot run. */
async function soundCanvas(file: string, parts: CompleteParts): Promise<Canvas | undefined> {
  const read = await readCanvasFile(file);
  const problems = await checkFile(read, { parts });
  if (read.kind === 'text' && isSound(problems)) return parseCanvas(read.text).canvas;
  const errors = problems.filter(({ problem }) => problem.severity === 'error').slice(0, mostTold);
  const paint = painter(process.stderr);
  process.stderr.write(`${errors.map((problem) => drawProblem(problem, paint, columnsOf(process.stderr))).join('\n\n')}\n\n`);
  process.stderr.write(paint('red', `✖ ${printable(file)} cannot run`) + '\n');
  return undefined;
}

const mostTold = 10;

/** The canvases given, those that they name or send an event to, and those that these name … */
async function family(given: readonly Canvas[], files: readonly string[], parts: CompleteParts): Promise<readonly Canvas[] | undefined> {
  const members = new Map(given.map((canvas) => [String(canvas.id), canvas]));
  const beside = await canvasesBeside(files);
  const missing = new Set<string>();
  for (const canvas of members.values()) {
    for (const id of [...workflowsNamedBy(canvas, parts.nodes), ...waitersFor(canvas, beside)]) {
      const found = beside.get(id);
      if (members.has(id)) continue;
      if (found === undefined) missing.add(id);
      // A map hands out what is added while it is gone through.
      else if ((await soundCanvas(found.file, parts)) === undefined) return undefined;
      else members.set(id, found.canvas);
    }
  }
  for (const id of missing) {
    process.stderr.write(
      `${painter(process.stderr)('yellow', 'warning')} Workflow "${printable(id)}" is called, and is not in this folder: name its file with --with\n`,
    );
  }
  return [...members.values()];
}

/** The user who talks; Ana, when nobody is named. */
function userFor(id: string | undefined, channel: Channel): SimulatedUser {
  const user = id ?? '5215512345678';
  const names = id === undefined ? { names: 'Ana' } : {};
  if (channel !== 'whatsapp') return { id: user, ...names };
  return isBsuid(user) ? { id: user, ...names, bsuid: user } : { id: user, ...names, phone: user };
}
