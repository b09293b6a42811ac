// Checks each node of a canvas by itself: fields, texts, addresses, patterns, limits and drivers.
import { Duration } from 'luxon';
import type { Canvas } from '../contract/canvas.ts';
import type { Json, ValueKind } from '../contract/json.ts';
import type { CheckSurroundings, UserField } from '../contract/node.ts';
import { pointer, type Problem } from '../contract/problem.ts';
import { durationBounds } from '../contract/template.ts';
import { isOfTheEngine } from '../contract/effect.ts';
import { compilePattern } from '../expressions/like.ts';
import { findNearestName } from '../expressions/nearest-name.ts';
import { explainNever } from '../expressions/misread.ts';
import { findPatterns, findRaws, findReads, findTexts, isExpression } from '../expressions/template.ts';
import { formatPath, type Path, parsePath } from '../variables/path.ts';
import { findBareVariable } from './bare-variable.ts';
import { findForeignNotation, type ForeignNotation, type KnownNames } from './foreign-braces.ts';
import { findOutsideOfShape, listShapes } from './shapes.ts';
import type { Typing } from './check-kinds.ts';
import { ownMessageFields } from './check-variables.ts';
import { type CompiledCanvas, type NodeTypes, unread } from './compile.ts';
import { joinNames, maxProblems, placedProblem, problem, shorten } from './problem-codes.ts';
import type { ParsedNode } from './read-node.ts';
import { filledFields } from './filled-fields.ts';
import { locateVariable, readText } from './text-range.ts';

/**
 * The same of `$message`: those that the nodes name which begin with a message. Where one of them names none, it may have others, and only
 * what is nearly the name of one is taken for a typing error.
 */
function listMessageFields(types: NodeTypes): { readonly fields: readonly string[]; readonly areAll: boolean } {
  const entries = [...types.values()].flatMap(({ entry }) => (entry?.kind === 'message' ? [entry.fields] : []));
  const named = entries.filter((fields) => fields !== undefined);
  return {
    fields: [...new Set([...ownMessageFields, 'text', 'payload', 'replyTo', ...named.flat()])],
    areAll: entries.length > 0 && named.length === entries.length,
  };
}

/**
 * Reads of fields that Hilo never fills, one problem for each field and node: a typing error, which a default would hide. Nodes behind
 * those with more than {@link maxProblems} are left out: no list shows what is wrong there.
 */
export function checkFields(
  canvas: Canvas,
  nodes: readonly ParsedNode[],
  types: NodeTypes,
  {
    userFields,
    settings,
  }: { readonly userFields?: readonly UserField[] | undefined; readonly settings?: readonly string[] | undefined } = {},
): readonly Problem[] {
  const ofMessage = listMessageFields(types);
  const filled: typeof filledFields = { ...filledFields, $message: ofMessage.fields };
  const declared = userFields?.map(({ key }) => key);
  const shapes = listShapes(canvas, nodes);
  let certain = 0; // problems that are no consequences of others
  return nodes.flatMap(({ id, index, templates, wrong }) => {
    if (certain > maxProblems) return [];
    const reads = findReads(templates).flatMap(({ path, at, isOptional }) => {
      const [scope, field, key] = path;
      if (scope === '$user' && field === 'fields' && typeof key === 'string' && declared?.includes(key) === false)
        return [{ name: formatPath([scope, field, key]), object: '$user.fields', field: key, known: declared, path, at }];
      // What is optional has a default until somebody sets it.
      if (scope === '$company' && field === 'settings' && typeof key === 'string' && !isOptional && settings?.includes(key) === false)
        return [{ name: formatPath([scope, field, key]), object: '$company.settings', field: key, known: settings, path, at }];
      const ofScope: readonly string[] | undefined = filled[String(scope)];
      if (ofScope === undefined) return findOutsideOfShape(shapes, path).map((outside) => ({ ...outside, path, at }));
      if (typeof field !== 'string' || ofScope.includes(field)) return [];
      if (scope === '$message' && !ofMessage.areAll && findNearestName(field, ofScope) === undefined) return [];
      return [{ name: formatPath([String(scope), field]), object: String(scope), field, known: ofScope, path, at }];
    });
    const byName = [...Map.groupBy(reads, ({ name }) => name).values()];
    if (wrong.length === 0) certain += byName.length;
    return byName.flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      const { name, object, field, known } = first;
      // What another system sends is in the body of its call or answer, beside the status and the headers.
      const nearest = findNearestName(field, known) ?? (known.includes('body') && /^\w+$/.test(field) ? `body.${field}` : undefined);
      const what = object === '$user.fields' ? 'declares no fields of contacts' : 'has no settings';
      const none = known.length === 0 ? `the company ${what}` : `there are ${joinNames(known)}`;
      const remedy = nearest === undefined ? none : `did you mean ${object}.${nearest}?`;
      const places = same.map(({ at }) => ['nodes', index, 'data', ...at]);
      const found = placedProblem('UNKNOWN_VARIABLE_FIELD', places, `${shorten(name, 100)} is never filled; ${remedy}`, id);
      return [{ ...found, ...locateVariable(canvas, places[0] ?? [], first.path), subject: name }];
    });
  });
}

/** The work of compiling all patterns of a canvas, in instructions of their programs: some 0.1 s. */
const maxWork = 100_000;
/** The work of parsing one character of a pattern, in the same unit. */
const characterWork = 20;

/**
 * Literal patterns of `like` that cannot be compiled. Each is compiled once, within a work budget: a canvas may have thousands that take
 * 20 ms each. Those beyond it fail at first use, if they are invalid (P20).
 */
export function checkPatterns(nodes: readonly ParsedNode[]): readonly Problem[] {
  const problems: Problem[] = [];
  const refusals = new Map<string, string | undefined>(); // by pattern; `undefined` for a valid one
  let work = 0;
  for (const { id, index, templates } of nodes) {
    for (const { pattern, at } of findPatterns(templates)) {
      if (!refusals.has(pattern)) {
        if (work > maxWork) continue;
        const compiled = compilePattern(pattern);
        work += pattern.length * characterWork + (typeof compiled === 'string' ? 0 : compiled.programSize());
        refusals.set(pattern, typeof compiled === 'string' ? compiled : undefined);
      }
      const reason = refusals.get(pattern);
      if (reason === undefined) continue;
      const message = `The pattern ${shorten(JSON.stringify(pattern), 100)} of like() cannot be used: ${reason}`;
      problems.push(problem('INVALID_EXPRESSION', ['nodes', index, 'data', ...at], message, id));
    }
  }
  return problems;
}

/** Scopes that the company and its operators fill: no user's text is in them. */
const trustedScopes: ReadonlySet<unknown> = new Set(['$company', '$bot']);

/** Calls of `raw` in an address with what a user may have written. */
export function checkAddresses(nodes: readonly ParsedNode[]): readonly Problem[] {
  return nodes.flatMap(({ id, index, templates }) =>
    findRaws(templates).flatMap(({ reads, at }) => {
      const read = reads.find(({ path }) => !trustedScopes.has(path[0]));
      if (read === undefined) return [];
      const message = `raw() inserts ${shorten(formatPath(read.path), 100)} into the address as it is: a user's text in it can reach another path`;
      return [problem('RAW_IN_ADDRESS', ['nodes', index, 'data', ...at], message, id)];
    }),
  );
}

/** Texts of a config that name a variable without its braces, or as another product does: their author most likely meant its value. */
export function checkTexts(canvas: Canvas, nodes: readonly ParsedNode[]): readonly Problem[] {
  let known: KnownNames | undefined; // most canvases have no such text
  return nodes.flatMap(({ id, index, templates }) =>
    findTexts(templates).flatMap(({ text, at }) => {
      const bare = findBareVariable(text);
      const foreign = findForeignNotation(text, () => (known ??= listKnownNames(canvas, nodes)));
      const found = foreign !== undefined && (bare === undefined || foreign.start <= bare.start) ? foreign : bare;
      if (found === undefined) return [];
      const place = ['nodes', index, 'data', ...at];
      const written = shorten(text.slice(found.start, found.end), 100);
      const message = `"${written}" ${found.says ?? 'is this text itself, and not the value of a variable'}; ${shorten(found.remedy, 200)}`;
      return [{ ...problem('PATH_AS_TEXT', place, message, id), ...offer(canvas, place, text, found) }];
    }),
  );
}

/** Where it stands in the canvas, and the text with what was meant there. */
function offer(canvas: Canvas, place: readonly (string | number)[], text: string, { start, end, replacement }: ForeignNotation) {
  if (readText(canvas, place) !== text) return {}; // what was read of the data is another text
  const range = { start, end };
  if (replacement === undefined) return { range };
  const value = text.slice(0, start) + replacement + text.slice(end);
  const label = replacement === '' ? `Leave out ${JSON.stringify(text.slice(start, end))}` : `Read ${replacement}`;
  return { range, fixes: [{ label, patch: [{ op: 'replace', path: pointer(place), value } as const] }] };
}

/** The variables of the canvas, by their last names. */
function listKnownNames({ variables, settings }: Canvas, nodes: readonly ParsedNode[]): KnownNames {
  const paths = [
    ...Object.keys(variables).map((name) => ['$context', name]),
    ...Object.keys(settings.inputs ?? {}).map((name) => ['$input', name]),
    ...nodes.flatMap(({ read, definition }) =>
      read === undefined
        ? []
        : Object.values(definition.writes(read.config)).flatMap((written) => written.map((one) => parsePath(one) ?? [])),
    ),
    ...nodes.flatMap(({ templates }) => findReads(templates).map(({ path }) => path)),
  ];
  const known = new Map<string, string | undefined>();
  for (const path of paths) {
    const name = path.at(-1);
    if (path.length < 2 || typeof name !== 'string' || !isPlainPath(path)) continue;
    const variable = formatPath(path);
    known.set(name.toLowerCase(), (known.get(name.toLowerCase()) ?? variable) === variable ? variable : undefined);
  }
  return known;
}

const isPlainPath = (path: Path): boolean => path.every((step) => typeof step === 'number' || /^\$?[A-Za-z_]\w*$/.test(step));

/** The problems that each node definition finds in its config, and waits that are longer than the session. */
export function checkLimits(
  nodes: readonly ParsedNode[],
  { canvas, sessionExpiryMs }: CompiledCanvas,
  known: Pick<CheckSurroundings, 'channels' | 'formOf' | 'userFields'> & { readonly typeOf: Typing },
): readonly Problem[] {
  const context: CheckSurroundings = {
    ...known,
    kind: canvas.kind,
    explainNever: (text, constant, how) => (isExpression(text) ? explainNever(text.slice(2, -2), constant, how) : undefined),
  };
  return nodes.flatMap(({ id, index, definition, read }) => {
    if (read === undefined) return [];
    const placeOf = (at: readonly (string | number)[]): string => pointer(['nodes', index, 'data', ...at]);
    const found = definition.check(read.config, context).map(({ at, fix, ...found }) => ({
      ...found,
      ...(id !== unread && { nodeId: id }),
      pointer: placeOf(at),
      ...(fix !== undefined && {
        fixes: [{ label: fix.label, patch: [{ op: 'replace', path: placeOf(fix.at), value: fix.value } as const] }],
      }),
    }));
    const node = { id, index, definition };
    return [...found, ...checkWaits(node, read.config, sessionExpiryMs), ...checkWaitKinds(node, read.config, known.typeOf)];
  });
}

/** What a wait can never take, by the words of an author. */
const noDuration: { readonly [Kind in ValueKind]?: string } = {
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** Expressions for durations and instants that surely come to something else, such as a number of minutes. */
function checkWaitKinds({ id, index, definition }: WaitingNode, config: unknown, typeOf: Typing): readonly Problem[] {
  if (typeof config !== 'object' || config === null) return [];
  return Object.keys(definition.waitFields).flatMap((field) => {
    const timed: unknown = Reflect.get(config, field);
    const source: unknown = typeof timed === 'function' ? Reflect.get(timed, 'source') : undefined;
    if (typeof source !== 'string' || !isExpression(source)) return [];
    const kind = typeOf(source);
    const what = kind === undefined ? undefined : noDuration[kind];
    if (what === undefined) return [];
    const remedy = kind === 'number' ? ': minutes are {{duration($context.n + "m")}}' : '';
    const message = `"${field}" takes a text such as PT2H, and ${shorten(source, 100)} is ${what}${remedy}`;
    return [problem('OTHER_TYPE', ['nodes', index, 'data', field], message, id)];
  });
}

type WaitingNode = Pick<ParsedNode, 'id' | 'index' | 'definition'>;

/** Waits that outlast the session. A node that calls a workflow may: the session continues in the child. */
function checkWaits({ id, index, definition }: WaitingNode, config: unknown, sessionExpiryMs: number | undefined): readonly Problem[] {
  const fields = Object.keys(definition.waitFields);
  if (sessionExpiryMs === undefined || fields.length === 0 || typeof config !== 'object' || config === null) return [];
  if (definition.waitsBefore(config).length === 0 || definition.references(config).some(({ kind }) => kind === 'workflow')) return [];
  return fields.flatMap((field) => {
    const [waitMs] = durationBounds(Reflect.get(config, field)) ?? [0];
    if (waitMs <= sessionExpiryMs) return [];
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
export function checkDrivers(nodes: readonly ParsedNode[], performed: ReadonlySet<string>): readonly Problem[] {
  return nodes.flatMap((node) => {
    const effects = node.definition.effects?.map(({ type }) => type) ?? findFirstEffect(node);
    const missing = [...new Set(effects)].filter((effect) => !isOfTheEngine(effect) && !performed.has(effect));
    if (missing.length === 0) return [];
    const message = `The node asks for ${joinNames(missing)}, and nothing here performs that`;
    return [problem('MISSING_DRIVER', ['nodes', node.index, 'type'], message, node.id)];
  });
}

/**
 * The first effect that a node requests when every variable is an empty text, for definitions that declare no effects: `run` is pure, so
 * it may be called here. A node that throws without real values is not checked.
 */
function findFirstEffect({ read, definition }: ParsedNode): readonly string[] {
  if (read === undefined) return [];
  const { config } = read;
  try {
    const everyPort = new Set([...definition.ports(config), ...definition.optionalPorts(config)]);
    const unset = { trigger: undefined, random: () => 0, nowMs: 0, memo: null, channel: undefined, hold: undefined };
    const variables = { get: (): Json => '' };
    const outcome = definition.run({ config, variables, isConnected: (port) => everyPort.has(port), ...unset });
    return outcome.kind === 'perform' ? [outcome.effect.type] : [];
  } catch {
    return [];
  }
}
