import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import type { HoldConfig } from '../contract/common-data.ts';
import { HiloError } from '../contract/errors.ts';
import type { Channel, ExecutionState, OpenVisit, Trigger } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import { fail, type Outcome, type RunArguments } from '../contract/node.ts';
import type { Variables } from '../contract/variables.ts';
import { draws } from './derive.ts';

/** What visits are given: one object for all visits of an advance, which come one after the other. */
export class VisitArguments implements RunArguments<unknown> {
  config: unknown;
  trigger: Trigger | undefined;
  nowMs = 0;
  memo: Json = null;
  hold: HoldConfig | undefined;
  readonly variables: Variables & { nowMs: number };
  readonly channel: Channel | undefined;
  #node: CompiledNode | undefined;
  #draw: (() => number) | undefined;
  readonly #canHold: boolean;
  readonly #state: ExecutionState;

  /** @param state - the one that the advance works on */
  constructor({ canvas }: CompiledCanvas, state: ExecutionState, { get, spend }: Variables) {
    this.#canHold = canvas.kind === 'skill';
    this.#state = state;
    this.variables = { get, spend, nowMs: 0 };
    this.channel = state.origin.channel;
  }

  of(node: CompiledNode, { trigger, atMs }: OpenVisit): this {
    const { memos } = this.#state;
    this.#node = node;
    this.#draw = undefined;
    this.config = node.config;
    this.trigger = trigger;
    this.nowMs = atMs;
    this.variables.nowMs = atMs;
    this.hold = this.#canHold && node.common.hold?.enabled === true ? node.common.hold : undefined;
    this.memo = (Object.hasOwn(memos, node.id) ? memos[node.id] : null) ?? null;
    return this;
  }

  readonly isConnected = (port: string): boolean => this.#node?.targets.has(port) === true;

  readonly random = (): number => (this.#draw ??= draws(this.#state.seed, this.#state.visitsInAll))();
}

/**
 * Runs one visit from its beginning, feeding it the answers recorded so far. Pure: the same visit with the same answers
 * comes to the same outcome, in whatever process.
 */
export function runVisit({ args }: { readonly args: VisitArguments }, node: CompiledNode, visit: OpenVisit): Outcome {
  try {
    let outcome = node.definition.run(args.of(node, visit));
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
