// One visit of one node, without an engine.
import {
  againPort,
  type Channel,
  divideData,
  type Failure,
  formatPath,
  getPath,
  HoldConfig,
  type Json,
  type JsonObject,
  type NodeDefinition,
  type Outcome,
  type Trigger,
} from '@hilo/engine/contract';

/** The circumstances of a visit; each has a harmless default. */
export interface VisitOptions {
  /** The node's data as a canvas has it, without the fields every node has. */
  readonly config?: JsonObject;
  /** Scopes as keys: `{ $context: { age: 20 } }`. */
  readonly variables?: JsonObject;
  readonly hold?: { readonly enabled?: boolean; readonly message?: string; readonly onMessage?: 'discard' | 'queue' };
  /** Results of the effects and waits, in order. */
  readonly results?: readonly Json[];
  readonly trigger?: Trigger;
  /** Ports that have an edge; all when left out. */
  readonly connected?: readonly string[];
  /** Numbers in [0, 1) for a node that draws. */
  readonly random?: readonly number[];
  readonly nowMs?: number;
  readonly memo?: Json;
  readonly channel?: Channel;
}

/** The result of a visit. */
export interface Visited {
  /** The port by which it left, `again` when its next visit begins; `undefined` when it has a pending effect, or ended the execution. */
  readonly by: string | undefined;
  /** What it wrote, by path. */
  readonly writes: { readonly [path: string]: Json | undefined };
  /** The requested effects and waits, in order. */
  readonly effects: readonly { readonly type: string; readonly request: Json }[];
  readonly failure: Failure | undefined;
  /** The last outcome, whole. */
  readonly outcome: Outcome;
}

/**
 * Visits one node outside of a canvas: parses its config, runs it, and passes it the results of its effects in order.
 *
 * @throws {z.ZodError} when the config is refused
 * @throws {HiloError} `EXPRESSION` when a template of the config fails
 */
export function visit<Config, RawConfig>(definition: NodeDefinition<Config, RawConfig>, options: VisitOptions = {}): Visited {
  const { variables = {}, results = [], random = [0.5], connected, memo = null, nowMs = 0 } = options;
  const draws = random.values();
  const config = definition.config.parse(divideData(options.config ?? {}).config);
  let outcome: Outcome = definition.run({
    config,
    variables: { get: (path) => getPath(variables, path), nowMs },
    trigger: options.trigger,
    isConnected: (port) => connected?.includes(port) ?? true,
    random: () => draws.next().value ?? 0.5,
    nowMs,
    memo,
    channel: options.channel,
    hold: options.hold === undefined ? undefined : HoldConfig.parse(options.hold),
  });
  const effects: { readonly type: string; readonly request: Json }[] = [];
  for (const result of [...results, undefined]) {
    if (outcome.kind !== 'perform') break;
    effects.push({ type: outcome.effect.type, request: outcome.effect.request });
    if (result === undefined) break;
    outcome = outcome.next(result as never);
  }
  return {
    by: outcome.kind === 'leave' ? outcome.port : outcome.kind === 'again' ? againPort : undefined,
    writes: Object.fromEntries(
      outcome.kind === 'leave' || outcome.kind === 'again' ? outcome.writes.map(({ path, value }) => [formatPath(path), value]) : [],
    ),
    effects,
    failure: outcome.kind === 'leave' || outcome.kind === 'finish' ? outcome.failure : undefined,
    outcome,
  };
}
