import type { Canvas } from '../contract/canvas.ts';
import { pointer, type Problem } from '../contract/problem.ts';
import { findPatterns, findReads } from '../expressions/template.ts';
import { compilePattern } from '../expressions/like.ts';
import { formatPath } from '../variables/path.ts';
import { findNearestName } from '../expressions/nearest-name.ts';
import { locateVariable } from './text-range.ts';
import { joinNames, placedProblem, problem, shorten } from './problem-codes.ts';
import type { LoneNode } from './read-node.ts';
import { Duration } from 'luxon';
import type { Channel } from '../contract/execution.ts';
import { isJsonObject, type Json } from '../contract/json.ts';
import { type CompiledCanvas, unread } from './compile.ts';
import { isOfTheEngine } from '../contract/wait.ts';

/** What Hilo fills of the scopes that an author does not write (VAR-04 to VAR-06, EVT-02). */
const filledFields: { readonly [scope: string]: readonly string[] | undefined } = {
  $user: ['id', 'names', 'phone', 'phoneNumber', 'locale', 'timeZone'],
  $bot: ['id', 'name', 'channel'],
  $company: ['id', 'name', 'plan', 'kind', 'settings', 'locale', 'timeZone'],
  $message: ['id', 'type', 'text', 'payload', 'mediaUrl', 'filename', 'coordinates', 'contacts'],
};

/** Fields that are read and never filled, each once a node: a typing error, above all where a default hides it. */
export function checkFields(canvas: Canvas, nodes: readonly LoneNode[]): readonly Problem[] {
  return nodes.flatMap(({ id, index, templates }) => {
    const reads = findReads(templates).flatMap(({ path, at }) => {
      const [scope, field] = path;
      const known = filledFields[String(scope)];
      if (known === undefined || typeof field !== 'string' || known.includes(field)) return [];
      return [{ name: formatPath([String(scope), field]), scope: String(scope), field, known, path, at }];
    });
    return [...Map.groupBy(reads, ({ name }) => name).values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      const { name, scope, field, known } = first;
      const nearest = findNearestName(field, known);
      const remedy = nearest === undefined ? `there are ${joinNames(known)}` : `did you mean ${scope}.${nearest}?`;
      const places = same.map(({ at }) => ['nodes', index, 'data', ...at]);
      const found = placedProblem('UNKNOWN_VARIABLE_FIELD', places, `${shorten(name, 100)} is never filled; ${remedy}`, id);
      return [{ ...found, ...locateVariable(canvas, places[0] ?? [], first.path), subject: name }];
    });
  });
}

/** What all patterns of a canvas may take to be compiled, in instructions and their like: some 0.1 s. */
const mostWork = 100_000;
/** Matches one character of a pattern. */
const characterWork = 20;

/**
 * Literal patterns of `like` that cannot be compiled. Each is compiled once, within a time budget: a canvas may have thousands that take
 * 20 ms each, and the rest is checked at first use (P20).
 */
export function checkPatterns(nodes: readonly LoneNode[]): readonly Problem[] {
  const problems: Problem[] = [];
  const known = new Map<string, string | undefined>();
  let work = 0;
  for (const { id, index, templates } of nodes) {
    for (const { pattern, at } of findPatterns(templates)) {
      if (!known.has(pattern)) {
        if (work > mostWork) continue;
        const compiled = compilePattern(pattern);
        work += pattern.length * characterWork + (typeof compiled === 'string' ? 0 : compiled.programSize());
        known.set(pattern, typeof compiled === 'string' ? compiled : undefined);
      }
      const reason = known.get(pattern);
      if (reason === undefined) continue;
      const message = `The pattern ${shorten(JSON.stringify(pattern), 100)} of like() cannot be used: ${reason}`;
      problems.push(problem('INVALID_EXPRESSION', ['nodes', index, 'data', ...at], message, id));
    }
  }
  return problems;
}

/** What the nodes themselves object to, and waits that the session does not last for. */
export function checkLimits(
  nodes: readonly LoneNode[],
  { canvas, sessionExpiryMs }: CompiledCanvas,
  channels: readonly Channel[],
): readonly Problem[] {
  const around = { channels, kind: canvas.kind };
  return nodes.flatMap(({ id, index, definition, read }) => {
    if (read === undefined) return [];
    const found = definition.check(read.config, around).map(({ at, ...found }) => ({
      ...found,
      ...(id !== unread && { nodeId: id }),
      pointer: pointer(['nodes', index, 'data', ...at]),
    }));
    return [...found, ...checkWaits({ id, index, definition }, read.config, sessionExpiryMs)];
  });
}

/** Fields with the duration of a wait. */
const waitFields = ['timeout', 'waitTimeout', 'duration'] as const;

/** A node that calls a workflow may wait beyond the session's expiry: the session continues in the child. */
function checkWaits(
  { id, index, definition }: Pick<LoneNode, 'id' | 'index' | 'definition'>,
  config: unknown,
  sessionExpiryMs: number | undefined,
): readonly Problem[] {
  if (sessionExpiryMs === undefined || !isJsonObject(config as Json) || definition.waitsBefore(config).length === 0) return [];
  if (definition.references(config).some(({ kind }) => kind === 'workflow')) return [];
  const fields = config as { readonly [field: string]: unknown };
  return waitFields.flatMap((field) => {
    const waitMs = fields[field];
    if (typeof waitMs !== 'number' || waitMs <= sessionExpiryMs) return [];
    const message = `"${id}" waits ${formatIso(waitMs)}, and the session ends after ${formatIso(sessionExpiryMs)}`;
    return [problem('WAIT_LONGER_THAN_SESSION', ['nodes', index, 'data', field], message, id)];
  });
}

/** As an author would write it: `P3D`, `PT1H1S`. */
const formatIso = (durationMs: number): string =>
  Duration.fromMillis(durationMs).shiftTo('days', 'hours', 'minutes', 'seconds').removeZeros().toISO() ?? '';

/**
 * Nodes with an effect that no driver performs: reported at publication, not by the first user who reaches them.
 *
 * @param performed - the effects with a driver
 */
export function checkDrivers(nodes: readonly LoneNode[], performed: ReadonlySet<string>): readonly Problem[] {
  return nodes.flatMap((node) => {
    const asked = node.definition.effects?.map(({ type }) => type) ?? findFirstEffect(node);
    const missing = [...new Set(asked)].filter((effect) => !isOfTheEngine(effect) && !performed.has(effect));
    if (missing.length === 0) return [];
    const message = `The node asks for ${joinNames(missing)}, and nothing here performs that`;
    return [problem('MISSING_DRIVER', ['nodes', node.index, 'type'], message, node.id)];
  });
}

/**
 * The first effect of a node whose variables are all empty texts, for nodes that do not declare their effects: `run` is pure, so it may
 * be called here. A node that fails without real values is accepted unchecked.
 */
function findFirstEffect({ read, definition }: LoneNode): readonly string[] {
  if (read === undefined) return [];
  const { config } = read;
  const everyPort = new Set([...definition.ports(config), ...definition.optionalPorts(config)]);
  try {
    const outcome = definition.run({
      config,
      variables: { get: (): Json => '' },
      trigger: undefined,
      isConnected: (port) => everyPort.has(port),
      random: () => 0,
      nowMs: 0,
      memo: null,
      channel: undefined,
      hold: undefined,
    });
    return outcome.kind === 'perform' ? [outcome.effect.type] : [];
  } catch {
    return [];
  }
}
