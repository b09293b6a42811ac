import { applyPatches, enablePatches, type Patch, produceWithPatches } from 'immer';
import type { CanvasJson } from './canvas-json.ts';
import type { Command } from './commands.ts';

enablePatches();

/** One step of an author, which can be undone. */
export interface Step {
  /** The label for the undo button: "Moved 3 nodes". */
  readonly name: string;
  readonly patches: readonly Patch[];
  readonly inverse: readonly Patch[];
  /** Steps with the same key within a second are one: typing in one field. */
  readonly key?: string;
  readonly atMs: number;
}

/** A canvas with its history of commands. JSON, so that it survives a reload. */
export interface History {
  readonly canvas: CanvasJson;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

/** How far back an author can go. */
export const mostSteps = 200;
const typingMs = 1_000;

export const historyOf = (canvas: CanvasJson): History => ({ canvas, past: [], future: [] });

/** Does a command as one step. A command that changes nothing is no step. @param atMs - Unix time */
export function perform(
  history: History,
  name: string,
  command: Command,
  { key, atMs }: { readonly key?: string; readonly atMs: number },
): History {
  const [canvas, patches, inverse] = produceWithPatches(history.canvas, (draft) => {
    const after = command(history.canvas);
    assignChanged(draft, history.canvas, after);
  });
  if (patches.length === 0) return history;
  const last = history.past.at(-1);
  const isTyping = key !== undefined && last?.key === key && atMs - last.atMs <= typingMs && history.future.length === 0;
  const step: Step = isTyping
    ? { ...last, patches: [...last.patches, ...patches], inverse: [...inverse, ...last.inverse], atMs }
    : { name, patches, inverse, atMs, ...(key !== undefined && { key }) };
  const before = isTyping ? history.past.slice(0, -1) : history.past;
  return { canvas, past: [...before, step].slice(-mostSteps), future: [] };
}

export function undo(history: History): History {
  const step = history.past.at(-1);
  if (step === undefined) return history;
  return { canvas: applyPatches(history.canvas, [...step.inverse]), past: history.past.slice(0, -1), future: [step, ...history.future] };
}

export function redo(history: History): History {
  const [step, ...future] = history.future;
  if (step === undefined) return history;
  return { canvas: applyPatches(history.canvas, [...step.patches]), past: [...history.past, step], future };
}

type Mutable = { [field: string]: unknown };

/** Assigns the fields that differ: list by list and item by item, so that a patch of a step names the node, not all nodes. */
function assignChanged(draft: Mutable, before: object, after: object): void {
  const from = before as Mutable;
  const to = after as Mutable;
  for (const field of Object.keys(from)) if (!(field in to)) delete draft[field];
  for (const [field, value] of Object.entries(to)) {
    const old = from[field];
    if (old === value) continue;
    if (Array.isArray(old) && Array.isArray(value) && old.length === value.length) {
      const list = draft[field] as unknown[];
      for (const [index, item] of value.entries()) if (item !== old[index]) list[index] = item;
    } else draft[field] = value;
  }
}
