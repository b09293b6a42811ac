// The errors of a canvas file as conversations: `hilo validate --dialogues`.
import type { Canvas, Channel } from '@hilo/engine/contract';
import { parseCanvas } from '@hilo/engine';
import type { CheckParts } from '@hilo/server/parts';
import { dialogueLimits, dialoguesOf } from '@hilo/simulator';
import type { CanvasFile } from './canvas-file.ts';
import type { PlacedProblem } from './draw-problem.ts';
import { canvasesBeside, collectCalled } from './neighbours.ts';
import { findCompany } from './run/company.ts';

const channel: Channel = 'whatsapp';
const userId = '5215512345678';

/** Adds conversations to the problems of a file: to errors with a way, save those behind an error of the same variable. */
export function createDialogues(
  workspace: string | undefined,
  { nodes, drivers }: Pick<CheckParts, 'nodes' | 'drivers'>,
): (read: CanvasFile, problems: readonly PlacedProblem[]) => Promise<readonly PlacedProblem[]> {
  return async (read, problems) => {
    const canvas = read.kind === 'text' ? parseCanvas(read.text).canvas : undefined;
    if (canvas === undefined) return problems;
    const found = await findCompany(read.file, workspace, { channel, userId });
    const canvases = [canvas, ...(await findCalled(canvas, read.file, nodes))];
    const dialogues = await dialoguesOf(
      canvases,
      problems.map(({ problem }) => problem),
      {
        channel,
        nodes,
        drivers,
        ...(found !== undefined && { company: found.company, ...(found.bot !== undefined && { bot: found.bot }) }),
        ...(found?.user !== undefined && { user: found.user }),
      },
    );
    return problems.map((placed, index) => {
      const dialogue = dialogues[index];
      if (dialogue === undefined) return placed;
      return {
        ...placed,
        dialogue: dialogue === null ? { kind: 'none', searchedMs: dialogueLimits.eachMs } : { kind: 'found', ...dialogue },
      };
    });
  };
}

/** The canvases of the folder that a canvas calls, and those that they call. */
async function findCalled(canvas: Canvas, file: string, nodes: CheckParts['nodes']): Promise<readonly Canvas[]> {
  const beside = await canvasesBeside([file]);
  return collectCalled(canvas, (id) => beside.get(id)?.canvas, nodes);
}
