// What a search has found so far: conversations by the port that they take, and those that come to its goal.
import type { WayStep } from '@hilo/engine/contract';
import type { CompiledCanvas } from '@hilo/engine/debug';
import type { ScriptInput } from '../script/script-input.ts';
import { createReachability, followWay, stepsOf } from './follow-way.ts';
import { type Frame, listInputs, type Script, type Setting, type Standing } from './standing.ts';

/** As many conversations are kept for one port: the first may turn out not to be one. */
const maxKept = 3;

/** What is looked for. */
export interface Goal {
  readonly way?: readonly WayStep[] | undefined;
  readonly fails?: string | undefined;
  readonly wants?: ((port: string) => boolean) | undefined;
}

/** What has been found, and what is still missing. */
export interface Findings {
  readonly all: readonly string[];
  readonly ports: ReadonlyMap<string, readonly (readonly ScriptInput[])[]>;
  readonly walked: readonly (readonly ScriptInput[])[];
  readonly observe: Setting['observe'];
  furthest(): number;
  events(): number;
  isDone(): boolean;
  /** Whether something happened since the last call that had not happened before, and the ports that were left by since then. */
  takeNews(): { readonly isNew: boolean; readonly steps: string };
  /** Whether a standing may lead to what is missing. */
  isPromising(standing: Standing): boolean;
}

export function createFindings(canvases: readonly CompiledCanvas[], { way, fails, wants }: Goal): Findings {
  const [main] = canvases;
  const all = [...(main?.nodes.values() ?? [])].flatMap((node) => [...node.targets.keys()].map((port) => `${node.id}.${port}`));
  const missing = new Set(all.filter((port) => wants?.(port) ?? true));
  const ports = new Map<string, (readonly ScriptInput[])[]>();
  const taken = new Set<string>(); // of every canvas
  const walked: (readonly ScriptInput[])[] = [];
  const isNeeded = createReachability(canvases, missing);
  const hasGoal = way !== undefined || fails !== undefined;
  let furthest = 0;
  let events = 0;
  let isNew = false;
  let steps = '';

  const keep = (found: (readonly ScriptInput[])[], script: Script | undefined): void => {
    if (found.length < maxKept) found.push(listInputs(script));
  };
  const noteStep = (canvas: CompiledCanvas, step: string, script: Script | undefined): void => {
    const key = `${canvases.indexOf(canvas)} ${step}`;
    isNew ||= !taken.has(key);
    taken.add(key);
    if (canvas !== main) return;
    const found = ports.get(step) ?? [];
    ports.set(step, found);
    keep(found, script);
    missing.delete(step);
  };
  /** @returns the standing as it goes on; `undefined` where it left the way, or came to its end */
  const follow = (frame: Frame, entries: Parameters<Setting['observe']>[1], standing: Standing): Standing | undefined => {
    if (way === undefined) return standing;
    const followed = frame.canvas === main ? followWay(way, frame, entries, standing) : standing;
    if (followed === undefined) return undefined;
    const { along, isAside } = followed;
    isNew ||= along > furthest;
    furthest = Math.max(furthest, along);
    if (along < way.length) return { ...standing, along, isAside };
    keep(walked, standing.script);
    return undefined;
  };

  return {
    all,
    ports,
    walked,
    observe(frame, entries, standing) {
      events += 1;
      for (const step of stepsOf(frame, entries)) {
        steps += ` ${step}`;
        noteStep(frame.canvas, step, standing.script);
      }
      const hasFailed = frame.canvas === main && entries.some(({ nodeId, cause }) => nodeId === fails && cause !== undefined);
      if (!hasFailed) return follow(frame, entries, standing);
      keep(walked, standing.script);
      return undefined;
    },
    furthest: () => furthest,
    events: () => events,
    isDone: () => (hasGoal ? walked.length > 0 : missing.size === 0),
    takeNews() {
      const news = { isNew, steps };
      isNew = false;
      steps = '';
      return news;
    },
    isPromising: ({ frames }) => hasGoal || frames.some(isNeeded),
  };
}
