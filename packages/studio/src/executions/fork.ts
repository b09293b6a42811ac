import { isRecord } from '../canvas/canvas-json.ts';
import type { Fork } from './time-travel.ts';

const keyOf = (workflowId: string): string => `hilo-studio/fork/${workflowId}`;

/** Leaves a fork of an execution for the editor, which is another screen. */
export const keepFork = (workflowId: string, fork: Fork): void => sessionStorage.setItem(keyOf(workflowId), JSON.stringify(fork));

/** The fork that an execution left for the editor. */
export function keptFork(workflowId: string): Fork | undefined {
  const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(workflowId)) ?? 'null');
  return isRecord(kept) && typeof kept['script'] === 'string' ? (kept as unknown as Fork) : undefined;
}

export const forgetFork = (workflowId: string): void => sessionStorage.removeItem(keyOf(workflowId));
