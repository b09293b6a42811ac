import { describeCanvas } from '@hilo/engine';
import type { Channel, NodeDefinition } from '@hilo/engine/contract';
import { asCanvas } from '../canvas/canvas-json.ts';
import type { CheckResult } from './protocol.ts';

/** Checks a draft with the engine itself, and describes each of its nodes. Never throws for what is in the draft. */
export function checkDraft(draft: unknown, channels: readonly Channel[], nodes: readonly NodeDefinition[]): CheckResult {
  const known = new Set(nodes.map(({ type }) => type));
  const used = new Set(asCanvas(draft)?.nodes.map(({ type }) => type));
  return { ...describeCanvas(draft, { nodes, channels }), unknownTypes: [...used].filter((type) => !known.has(type)) };
}
