import type { NodeDefinition } from '@hilo/engine/contract';
import { canvasSearches, type SearchName } from './canvas-searches.ts';
import { canvasTasks, type TaskName } from './canvas-tasks.ts';

/** What the thread is started with. */
export interface ThreadData {
  /** The path of a configuration whose nodes it loads; the standard nodes alone, when undefined. */
  readonly nodesFrom: string | undefined;
}

/** Work on canvases: the name of a function of {@link canvasTasks}, and what it is given after the nodes. */
export interface Task {
  readonly name: TaskName;
  readonly given: readonly unknown[];
}

/** A search, which a thread alone does. */
export interface Search {
  readonly name: SearchName;
  readonly given: readonly unknown[];
}

/** What a task came to. */
export type TaskOutcome = { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'threw'; readonly message: string };

/** What the thread says. */
export type FromThread =
  | TaskOutcome
  | { readonly kind: 'ready'; readonly types: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Runs a task, here. */
export function runTask(nodes: readonly NodeDefinition[], { name, given }: Task): TaskOutcome {
  try {
    const task: (nodes: readonly NodeDefinition[], ...given: never[]) => unknown = canvasTasks[name];
    return { kind: 'done', result: task(nodes, ...(given as never[])) };
  } catch (error) {
    return { kind: 'threw', message: error instanceof Error ? error.message : String(error) };
  }
}

/** Does a search, in a thread. */
export async function runSearch(nodes: readonly NodeDefinition[], { name, given }: Search): Promise<TaskOutcome> {
  try {
    const search: (nodes: readonly NodeDefinition[], ...given: never[]) => Promise<unknown> = canvasSearches[name];
    return { kind: 'done', result: await search(nodes, ...(given as never[])) };
  } catch (error) {
    return { kind: 'threw', message: error instanceof Error ? error.message : String(error) };
  }
}

export const isSearch = (work: Task | Search): work is Search => work.name in canvasSearches;
