import { useState } from 'react';
import type { OpenCall, TestView } from '../worker/protocol.ts';
import type { TestMemory } from './test-memory.ts';

/** What the calls of a test are answered with. */
export interface Answers {
  /** The last answer to each node. */
  readonly last: ReadonlyMap<string, string>;
  /** Nodes that are always answered so. */
  readonly always: ReadonlySet<string>;
  keep(call: OpenCall, line: string, isAlways: boolean): void;
  askAgain(nodeId: string): void;
  /** The answer that is given by itself to what a test asks now; none where the last one was refused. */
  next(view: TestView | undefined): string | undefined;
}

/** @param kept - the answers of a conversation that goes on, or that an execution had */
export function useAnswers(kept: TestMemory | undefined): Answers {
  const [last, setLast] = useState<ReadonlyMap<string, string>>(kept?.answers ?? new Map());
  const [always, setAlways] = useState<ReadonlySet<string>>(kept?.always ?? new Set());
  return {
    last,
    always,
    keep({ nodeId }, line, isAlways) {
      setLast(new Map(last).set(nodeId, line));
      if (isAlways) setAlways(new Set(always).add(nodeId));
    },
    askAgain: (nodeId) => setAlways(new Set([...always].filter((one) => one !== nodeId))),
    next(view) {
      const open = view?.error === undefined ? view?.calls.find(({ nodeId }) => always.has(nodeId)) : undefined;
      return open === undefined ? undefined : last.get(open.nodeId);
    },
  };
}
