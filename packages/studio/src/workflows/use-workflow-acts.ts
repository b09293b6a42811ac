import { useState } from 'react';
import type { WorkflowSummary } from '../api/client.ts';
import { asCanvas, type CanvasJson, faultOf } from '../canvas/canvas-json.ts';
import { saveFile } from '../parts/save-file.ts';
import { blankCanvas } from './blank-canvas.ts';
import { useStudio } from '../studio-context.ts';
import { useReason } from '../words/reason.ts';
import { useWords } from '../words/words.tsx';

/** What can be done with the workflows of a company. A failure is told by `reason`, until the next act. */
export interface WorkflowActs {
  readonly reason: string | undefined;
  /** Saves a new workflow, under its id or the next free one, and opens it. */
  create(canvas: CanvasJson): Promise<void>;
  /** Creates an empty workflow. It begins with any message, or where another one has these, with its own name. */
  begin(name: string): Promise<void>;
  /** The file is checked before it is saved: one that is no canvas is refused; problems are shown in the editor. */
  importFile(given: File | undefined): Promise<void>;
  exportFile(workflowId: string): Promise<boolean>;
  duplicate(workflowId: string): Promise<boolean>;
  /** Puts a workflow into a folder; out of its own, when empty. */
  move(workflowId: string, folder: string): Promise<boolean>;
  /** Archives a workflow, or restores it. @returns whether it is done */
  archive(workflowId: string, isArchived: boolean): Promise<boolean>;
}

/**
 * @param workflows - those that are listed: a new one gets an id beside theirs
 * @param reload - lists them again
 */
export function useWorkflowActs(workflows: readonly WorkflowSummary[], reload: () => void): WorkflowActs {
  const { client, companyId, go } = useStudio();
  const say = useWords();
  const reasonOf = useReason();
  const [reason, setReason] = useState<string>();

  const create = async (canvas: CanvasJson): Promise<void> => {
    setReason(undefined);
    const ids = new Set(workflows.map(({ workflowId }) => workflowId));
    let id = canvas.id;
    for (let number = 2; ids.has(id); number += 1) id = `${canvas.id}-${number}`;
    try {
      const saved = await client.save(companyId, { ...canvas, id }, undefined, true);
      if (saved.kind === 'saved') go({ screen: 'editor', workflowId: id });
      else setReason(saved.kind === 'refused' ? reasonOf(saved.error) : say('app.failed', { reason: saved.kind }));
    } catch (failed) {
      setReason(reasonOf(failed));
    }
  };
  const begin = async (name: string): Promise<void> => {
    const blank = blankCanvas(name);
    // Where the service cannot say, its check of the draft will.
    const problems = await client.validate(companyId, blank).catch(() => []);
    const isTaken = problems.some(({ code }) => code === 'SAME_FALLBACK');
    await create(isTaken ? blankCanvas(name, name.toLowerCase()) : blank);
  };
  const importFile = async (given: File | undefined): Promise<void> => {
    if (given === undefined) return;
    setReason(undefined);
    try {
      const parsed: unknown = JSON.parse(await given.text());
      const canvas = asCanvas(parsed);
      if (canvas === undefined) return setReason(say('workflows.faultAt', { pointer: faultOf(parsed) ?? '/' }));
      await client.validate(companyId, canvas);
      await create(canvas);
    } catch (failed) {
      setReason(say('workflows.notCanvas', { reason: reasonOf(failed) }));
    }
  };
  const act = async (what: () => Promise<unknown>): Promise<boolean> => {
    setReason(undefined);
    try {
      await what();
      reload();
      return true;
    } catch (failed) {
      setReason(reasonOf(failed));
      return false;
    }
  };
  const saveAsFile = async (workflowId: string): Promise<void> => {
    const { canvas } = await client.draft(companyId, workflowId);
    saveFile(`${workflowId}.json`, `${JSON.stringify(canvas, null, 2)}\n`, 'application/json');
  };

  return {
    reason,
    create,
    begin,
    importFile,
    exportFile: (workflowId) => act(() => saveAsFile(workflowId)),
    duplicate: (workflowId) => act(async () => create((await client.draft(companyId, workflowId)).canvas)),
    move: (workflowId, folder) =>
      act(async () => (await client.operations()).setWorkflowFolder({ path: { workflowId }, query: { companyId }, body: { folder } })),
    archive: (workflowId, isArchived) => act(() => client.archive(companyId, workflowId, isArchived)),
  };
}
