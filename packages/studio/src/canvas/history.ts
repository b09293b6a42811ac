import type { CanvasJson } from './canvas-json.ts';
import { applyChanges, type Change, changesBetween } from './changes.ts';
import type { Command } from './commands.ts';

/** One step of an author, which can be undone. */
export interface Step {
  /** The label for the undo button: "Moved 3 nodes". */
  readonly name: string;
  readonly changes: readonly Change[];
  /** What undoes the changes. */
  readonly inverse: readonly Change[];
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
export const maxSteps = 200;
const typingMs = 1_000;

export const historyOf = (canvas: CanvasJson): History => ({ canvas, past: [], future: [] });

/** Does a command as one step. A command that changes nothing is no step. @param atMs - Unix time */
export function perform(
  history: History,
  name: string,
  command: Command,
  { key, atMs }: { readonly key?: string; readonly atMs: number },
): History {
  const canvas = command(history.canvas);
  const changes = changesBetween(history.canvas, canvas);
  if (changes.length === 0) return history;
  const inverse = changesBetween(canvas, history.canvas);
  const last = history.past.at(-1);
  const isTyping = key !== undefined && last?.key === key && atMs - last.atMs <= typingMs && history.future.length === 0;
  const step: Step = isTyping
    ? { ...last, changes: [...last.changes, ...changes], inverse: [...inverse, ...last.inverse], atMs }
    : { name, changes, inverse, atMs, ...(key !== undefined && { key }) };
  const before = isTyping ? history.past.slice(0, -1) : history.past;
  return { canvas, past: [...before, step].slice(-maxSteps), future: [] };
}

export function undo(history: History): History {
  const step = history.past.at(-1);
  if (step === undefined) return history;
  return { canvas: applyChanges(history.canvas, step.inverse), past: history.past.slice(0, -1), future: [step, ...history.future] };
}

export function redo(history: History): History {
  const [step, ...future] = history.future;
  if (step === undefined) return history;
  return { canvas: applyChanges(history.canvas, step.changes), past: [...history.past, step], future };
}
