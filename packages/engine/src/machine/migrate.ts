// Judges and applies a migration of one execution to another content of its workflow.
import { compareCanvases, type Comparison, losesAddress } from '../canvas/compare.ts';
import type { CompiledCanvas } from '../canvas/compile.ts';
import { findLivePaths, type LivePath } from '../canvas/live-paths.ts';
import { describeThrown, HiloError } from '../contract/errors.ts';
import type { ExecutionState, OpenVisit } from '../contract/execution.ts';
import { isJsonObject, isSameJson, type Json } from '../contract/json.ts';
import type { CanvasDifference, Migration, MigrationRefusal, Verdict } from '../contract/migration.ts';
import type { Outcome } from '../contract/node.ts';
import type { ExecutionRecord } from '../contract/store.ts';
import { VariablePath, type Write } from '../contract/variables.ts';
import { compileJson, type JsonTemplate } from '../expressions/template.ts';
import { readDefaults } from '../variables/declared.ts';
import { formatPath, type Path } from '../variables/path.ts';
import { VariableView } from '../variables/view.ts';
import { finalStatuses } from './lifecycle.ts';
import { runVisit } from './run-node.ts';
import { openTransition } from './transition-context.ts';

/** A migration between two contents, checked and compared once for all executions. */
export interface PreparedMigration {
  readonly migration: Migration;
  readonly before: CompiledCanvas;
  readonly after: CompiledCanvas;
  readonly comparison: Comparison;
  /** The variables that the target reads from a node on, by its ids. */
  livePaths(nodeId: string, isCaught: boolean): readonly LivePath[];
  readonly setters: readonly { readonly path: Path; readonly value: JsonTemplate }[];
}

/**
 * Checks a migration against both contents, and compares them.
 *
 * @throws {HiloError} `INVALID_MIGRATION` for renames and choices that the contents do not have, and values that are no place or no expression
 */
export function prepareMigration(migration: Migration, before: CompiledCanvas, after: CompiledCanvas): PreparedMigration {
  const setters = checkMigration(migration, before, after);
  let live: ReturnType<typeof findLivePaths> | undefined; // most migrations are proved the same, and need none
  return {
    migration,
    before,
    after,
    comparison: compareCanvases(before, after, migration.nodes),
    livePaths: (nodeId, isCaught) => (live ??= findLivePaths(after))(nodeId, isCaught),
    setters,
  };
}

/**
 * Checks a migration against both contents, without comparing them.
 *
 * @param before - left out for a migration from any version, of which each has some of the nodes
 * @returns what writes the values of `set`
 * @throws {HiloError} `INVALID_MIGRATION`
 */
export function checkMigration(
  migration: Migration,
  before: CompiledCanvas | undefined,
  after: CompiledCanvas,
): PreparedMigration['setters'] {
  checkNames(migration, before, after);
  return compileSetters(migration);
}

/** What writes the values of `set`. @throws {HiloError} `INVALID_MIGRATION` for a place that is not written, or a template that is none */
export const compileSetters = ({ workflowId, set = {} }: Pick<Migration, 'workflowId' | 'set'>): PreparedMigration['setters'] =>
  Object.entries(set).map(([text, value]) => compileSetter(workflowId, text, value));

function checkNames(
  { workflowId, from, to, nodes = {}, at = {} }: Migration,
  before: CompiledCanvas | undefined,
  after: CompiledCanvas,
): void {
  const refuse = (reason: string): never => {
    throw new HiloError('INVALID_MIGRATION', { workflowId, reason });
  };
  // Of several versions, each has some of the nodes.
  const isExpected = (id: string): boolean => from === 'any' || before?.nodes.has(id) === true;
  const targets = new Map<string, string>();
  for (const [id, name] of Object.entries(nodes)) {
    if (!isExpected(id)) refuse(`"nodes" renames "${id}", which version ${from} does not have`);
    if (!after.nodes.has(name)) refuse(`"nodes" renames "${id}" to "${name}", which version ${to} does not have`);
    if (id !== name && after.nodes.has(id)) refuse(`"nodes" renames "${id}", which version ${to} has too: rename only what is gone`);
    if (before?.webhook?.id === id) refuse(`"nodes" renames the webhook "${id}": its address would no longer resume what waits for it`);
    const other = targets.get(name) ?? (nodes[name] === undefined && id !== name && before?.nodes.has(name) === true ? name : undefined);
    if (other !== undefined) refuse(`"nodes" makes "${name}" of both "${other}" and "${id}": renames are one to one`);
    targets.set(name, id);
  }
  for (const [id, chosen] of Object.entries(at)) {
    if (!isExpected(id)) refuse(`"at" names "${id}", which version ${from} does not have`);
    if (typeof chosen === 'object' && 'enter' in chosen && !after.nodes.has(chosen.enter))
      refuse(`"at" enters "${chosen.enter}", which version ${to} does not have`);
  }
}

function compileSetter(workflowId: string, text: string, value: Json): { readonly path: Path; readonly value: JsonTemplate } {
  const path = VariablePath.safeParse(text);
  if (!path.success)
    throw new HiloError('INVALID_MIGRATION', { workflowId, reason: `"set": ${path.error.issues[0]?.message ?? 'no place to write'}` });
  try {
    return { path: path.data, value: compileJson(value) };
  } catch (error) {
    throw new HiloError('INVALID_MIGRATION', { workflowId, reason: `"set" of ${text}: ${describeThrown(error)}` });
  }
}

/**
 * What a migration does with an execution that stands in `before`. Pure, and without a read: who lists a million executions and who commits
 * one of them come to the same verdict.
 *
 * @param nowMs - `$now` of the values of `set`
 */
export function judgeMigration(record: ExecutionRecord, prepared: PreparedMigration, nowMs: number): Verdict {
  const { state, version, workflowId } = record;
  const { migration, before, after, comparison } = prepared;
  if (finalStatuses.has(state.status)) return { kind: 'none' };
  const isOwn = workflowId === migration.workflowId; // else it has jumped into the workflow, and its record keeps where it began
  if (isOwn && version !== 'draft' && migration.from !== 'any' && version !== migration.from) return { kind: 'none' };
  if (state.canvasHash === after.hash && (!isOwn || version === migration.to)) return { kind: 'none' };
  if (version === 'draft') return refuse('TEST_ROUTE', 'It runs a draft; drafts are not migrated');
  if (state.canvasHash !== before.hash) return { kind: 'none' };
  if (state.status === 'running') return { kind: 'busy' };
  const { visit, wait, pending } = state;
  if (visit === undefined)
    return refuse('NOT_BEGUN', 'It was quarantined before it began: release it, which begins it in its own version, or cancel it');
  const chosen = Object.hasOwn(migration.at ?? {}, visit.nodeId) ? migration.at?.[visit.nodeId] : undefined;
  if (chosen === 'keep') return { kind: 'keeps' };
  if (chosen !== undefined && 'cancel' in chosen) return { kind: 'cancels', reason: chosen.cancel };
  if (chosen !== undefined)
    return judgeFills(prepared, state, chosen.enter, nowMs, (fills) => ({ kind: 'enters', nodeId: chosen.enter, fills }));
  const difference = comparison.differenceFrom(visit.nodeId, state.isCaught);
  if (difference === undefined) return { kind: 'same' };
  const isForWebhook = wait?.kind === 'webhook' || wait?.kind === 'external';
  if (isForWebhook && before.webhook?.id !== after.webhook?.id) return refuseWebhook(prepared);
  const stands = before.nodes.get(visit.nodeId);
  const name = comparison.nameOf(visit.nodeId);
  if (isForWebhook && stands !== undefined && losesAddress(before, stands, name)) return refuseAddress(migration, visit.nodeId, name);
  const refusal = judgePlace(prepared, state, visit, pending !== undefined || wait?.kind === 'retry');
  if (refusal !== undefined) return refusal;
  return judgeFills(prepared, state, name, nowMs, (fills) => ({ kind: 'changed', difference, fills }));
}

export const refuse = (reason: MigrationRefusal, message: string, way: readonly string[] = []): Verdict => ({
  kind: 'refused',
  reason,
  message,
  way,
});

/** An execution that waits in another workflow than the one that it began in. */
export const refuseJumped = (into: string): Verdict =>
  refuse('JUMPED', `It has jumped into workflow "${into}": migrate it with that workflow`);

export const refuseWebhook = ({ migration: { to }, before, after }: PreparedMigration): Verdict =>
  refuse(
    'WEBHOOK_RENAMED',
    `It waits for a request to webhook "${before.webhook?.id ?? ''}"; in version ${to} ${
      after.webhook === undefined ? 'there is no webhook' : `the webhook is "${after.webhook.id}"`
    }, so that its address would no longer resume it`,
  );

const refuseAddress = ({ to }: Migration, nodeId: string, name: string): Verdict =>
  refuse(
    'WEBHOOK_RENAMED',
    `It waits for a call of the address of "${nodeId}", which is "${name}" in version ${to}, so that its address would no longer resume it. Keep the name, or choose (at): {"${nodeId}": {"enter": "…"}}`,
    [nodeId],
  );

/** Whether an execution can stand where it does. @param isAttempted - a request of its visit was sent, and is to be sent again under its key */
function judgePlace(
  { migration: { to }, before, after, comparison }: PreparedMigration,
  state: ExecutionState,
  visit: OpenVisit,
  isAttempted: boolean,
): Verdict | undefined {
  const { nodeId } = visit;
  const way = [nodeId];
  const choose = (suffix = ''): string => `choose (at): {"${nodeId}": {"enter": "…"}}${suffix}`;
  const local = comparison.local.get(nodeId);
  if (local === undefined) return undefined;
  if (local.kind === 'gone')
    return refuse('NODE_GONE', `Node "${nodeId}", where it waits, is not in version ${to}. Rename it (nodes), or ${choose()}`, way);
  if (isAttempted) {
    if (local.kind === 'port' && state.pending === undefined) return undefined;
    return refuse(
      'RETRY_OPEN',
      `"${nodeId}" is between two attempts under one idempotency key, and its request differs in version ${to}. Let it settle, or ${choose()}`,
      way,
    );
  }
  const was = openOutcome(before, state, visit);
  const is = openOutcome(after, state, { ...visit, nodeId: comparison.nameOf(nodeId) });
  if (isSameWait(was, is)) return undefined;
  const replies = visit.results.filter((settled) => settled.kind === 'result' && isReply(settled.value)).length;
  const after_ = replies === 0 ? '' : `after ${replies} ${replies === 1 ? 'reply' : 'replies'} `;
  return refuse(
    'WAIT_DIFFERS',
    `At "${nodeId}" version ${to} would not wait as this execution does: ${after_}it ${describeOutcome(is, was)}. C${choose().slice(1)}`,
    way,
  );
}

/** What the open visit comes to on a canvas, with the results that it has. */
export const openOutcome = (canvas: CompiledCanvas, state: ExecutionState, visit: OpenVisit): Outcome | undefined => {
  const node = canvas.nodes.get(visit.nodeId);
  return node === undefined ? undefined : runVisit(openTransition(canvas, { ...state, visit }, visit.atMs), node, visit);
};

const isReply = (value: Json): boolean => isJsonObject(value) && value['kind'] === 'message';

/** Whether both wait, and for the same; the time does not count, since an open wait keeps its own. */
export function isSameWait(was: Outcome | undefined, is: Outcome | undefined): boolean {
  const [one, other] = [readWait(was), readWait(is)];
  return one !== undefined && other !== undefined && isSameJson(one, other);
}

function readWait(outcome: Outcome | undefined): Json | undefined {
  if (outcome?.kind !== 'perform' || !outcome.effect.type.startsWith('wait.') || !isJsonObject(outcome.effect.request)) return undefined;
  const { dueInMs: _in, dueAtMs: _at, ...request } = outcome.effect.request;
  return request;
}

export function describeOutcome(is: Outcome | undefined, was: Outcome | undefined): string {
  if (is === undefined) return 'is not there';
  if (is.kind === 'leave') return `leaves by "${is.port}"`;
  if (is.kind === 'finish') return 'ends';
  if (is.kind === 'again') return 'begins another round';
  const { type } = is.effect;
  if (!type.startsWith('wait.')) return `asks for "${type}" first`;
  const other = was?.kind === 'perform' && was.effect.type === type ? 'another ' : '';
  return `waits for ${other}${type.slice('wait.'.length)}`;
}

/** What is written where the execution has no value, and what it still lacks then. */
export function judgeFills(
  prepared: PreparedMigration,
  { variables, variablesSize, isCaught }: ExecutionState,
  nodeId: string,
  nowMs: number,
  conclude: (fills: readonly Write[]) => Verdict,
): Verdict {
  const { migration, after, setters } = prepared;
  const view = new VariableView(variables, variablesSize);
  view.nowMs = nowMs;
  const isMissing = ({ path }: Pick<Write, 'path'>): boolean => view.get(path) === undefined;
  let fills: readonly Write[];
  try {
    fills = [
      ...setters.filter(isMissing).map(({ path, value }) => ({ path, value: value(view) })),
      ...listDefaults(after, setters).filter(isMissing),
    ];
  } catch (error) {
    return refuse('VALUE_REFUSED', `A value of "set" cannot be made of its variables: ${describeThrown(error)}. Write "set" with ??`);
  }
  const refusal = view.write(fills);
  if (refusal !== undefined) return refuse('VALUE_REFUSED', `${refusal.cause}: ${refusal.message}. Write a smaller value in "set"`);
  const missing = prepared.livePaths(nodeId, isCaught).filter(isMissing);
  const [first] = missing;
  return first === undefined ? conclude(fills) : describeNeeds(migration, first, missing);
}

function describeNeeds({ to }: Migration, first: LivePath, missing: readonly LivePath[]): Verdict {
  const way = first.way();
  const [name, others] = [formatPath(first.path), missing.length - 1];
  const more = others === 0 ? '' : ` and ${others} more`;
  const message = `Version ${to} reads ${name}${more} on the way ${way.join(' → ')}, and this execution has none. Give a value: "set": {"${name}": "…"}`;
  return { kind: 'needs', values: missing.map(({ path }) => path), message, way };
}

/** The declared defaults of the target, as a jump into it would give them. */
function listDefaults({ canvas: { variables, settings } }: CompiledCanvas, setters: PreparedMigration['setters']): readonly Write[] {
  const isSet = new Set(setters.map(({ path }) => path.join('\0')));
  const list = (scope: string, declared: Parameters<typeof readDefaults>[0]): readonly Write[] =>
    Object.entries(readDefaults(declared)).map(([name, value]) => ({ path: [scope, name], value }));
  return [...list('$context', variables), ...list('$input', settings.inputs)].filter(({ path }) => !isSet.has(path.join('\0')));
}

/** The way to a difference, as a sentence. */
export function describeDifference({ nodeId, kind, port, field, way }: CanvasDifference, to: number): string {
  const on = way.length <= 1 ? '' : ` (${way.join(' → ')})`;
  switch (kind) {
    case 'gone':
      return `Node "${nodeId}" is not in version ${to}${on}`;
    case 'type':
      return `Node "${nodeId}" is of another type in version ${to}${on}`;
    case 'data':
      return `"${field ?? 'data'}" of node "${nodeId}" differs in version ${to}${on}`;
    case 'port':
      return `Port "${port ?? ''}" of node "${nodeId}" leads elsewhere in version ${to}${on}`;
    case 'webhook':
      return `The webhook "${nodeId}" differs in version ${to}, which late requests are answered by`;
    case 'catch':
      return `What failures lead to ("${nodeId}") differs in version ${to}`;
    case 'settings':
      return `"${field ?? 'settings'}" of the canvas differs in version ${to}`;
  }
}
