import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import { HiloError } from '../contract/errors.ts';
import type { ExecutionState, OpenVisit } from '../contract/execution.ts';
import { fail, type Outcome } from '../contract/node.ts';
import type { Variables } from '../contract/variables.ts';
import { draws } from './derive.ts';

/**
 * Runs one visit from its beginning, feeding it the answers recorded so far. Pure: the same visit with the same answers
 * comes to the same outcome, in whatever process.
 */
export function runVisit(
  canvas: CompiledCanvas,
  node: CompiledNode,
  visit: OpenVisit,
  state: ExecutionState,
  variables: Variables,
): Outcome {
  try {
    let outcome = node.definition.run({
      config: node.config,
      variables: { get: variables.get, spend: variables.spend, nowMs: visit.atMs },
      trigger: visit.trigger,
      isConnected: (port) => node.targets.has(port),
      random: draws(state.seed, state.visitsInAll),
      nowMs: visit.atMs,
      memo: (Object.hasOwn(state.memos, node.id) ? state.memos[node.id] : null) ?? null,
      channel: state.origin.channel,
      hold: canvas.canvas.kind === 'skill' && node.common.hold?.enabled === true ? node.common.hold : undefined,
    });
    for (const settled of visit.results) {
      if (outcome.kind !== 'perform') break;
      if (settled.kind === 'failure')
        return { ...fail(settled.failure.cause, settled.failure.message, settled.failure.details), writes: [] };
      outcome = outcome.next(settled.value as never);
    }
    return outcome;
  } catch (error) {
    // A template that cannot be evaluated is the author's to handle; anything else is told as the node's failure, so
    // that a faulty node never leaves its execution standing.
    if (!(error instanceof Error)) return fail('NODE_FAILED', String(error));
    return fail(error instanceof HiloError ? String(error.code) : 'NODE_FAILED', error.message);
  }
}
