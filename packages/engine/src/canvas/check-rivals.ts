// Finds workflows whose starts match the same messages as those of a canvas.
import type { Canvas } from '../contract/canvas.ts';
import { divideData } from '../contract/common-data.ts';
import type { Channel } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Identifier, Keyword, NodeDefinition, Routing } from '../contract/node.ts';
import { createOnce } from './once.ts';
import type { Problem } from '../contract/problem.ts';
import { type NodeTypes, nodeTypes } from './compile.ts';
import { joinNames, problem } from './problem-codes.ts';
import type { ParsedNode } from './read-node.ts';
import { upgradeCanvas } from './upgrade.ts';

/** A published workflow, with which a canvas may compete for messages. */
export interface PublishedWorkflow {
  readonly workflowId: string;
  readonly canvas: Canvas;
}

/** A node at which a user's message starts a workflow. */
interface Start {
  readonly nodeId: string;
  readonly index: number;
  readonly entry: Extract<NonNullable<NodeDefinition['entry']>, { readonly kind: 'message' }>;
  readonly config: unknown;
  readonly interrupts: boolean;
  readonly keywords: readonly Keyword[];
  readonly identifiers: readonly Identifier[];
  /** Words of which every message that its keywords match contains at least one; `undefined` when no such set is known. */
  readonly words: ReadonlySet<string> | undefined;
  readonly isFallback: boolean;
}
/** A start of a published workflow. */
type Rival = Start & { readonly workflowId: string; readonly channels: readonly Channel[] | undefined };

/** The starts of published workflows, indexed so that a start is compared only with those that may match the same message. */
interface RivalIndex {
  readonly all: readonly Rival[];
  readonly byWord: ReadonlyMap<string, readonly Rival[]>;
  /** By payloads and references, and by keywords, which a payload may be. */
  readonly byIdentifier: ReadonlyMap<string, readonly Rival[]>;
  /** Those without known words. */
  readonly wordless: readonly Rival[];
  readonly fallbacks: readonly Rival[];
  /** What starts made of the texts of these rivals: each is read once, whatever it is compared with. */
  readonly readings: Map<string, Reading>;
}

/** A message with what starts make of it. */
interface Reading {
  readonly message: JsonObject;
  readonly once: Routing['once'];
}

/** How the messages of one check are read, and what they may cost. */
interface Comparing {
  read(text: string): Reading;
  readonly spend: Routing['spend'];
  isOver(): boolean;
}

/**
 * Starts that match the same messages as a start of another published workflow: a message starts only the first of the two workflows by
 * id. Two that both interrupt for one keyword are an error: which of them ends the current conversation must not depend on an id.
 */
export function checkRivals(
  canvas: Canvas,
  parsedNodes: readonly ParsedNode[],
  published: readonly PublishedWorkflow[],
  definitions: readonly NodeDefinition[],
): readonly Problem[] {
  if (canvas.kind !== 'skill') return []; // a tool is called, never talked to
  const own = parsedNodes.flatMap(({ id, index, definition, read }) =>
    read === undefined ? [] : readStart(id, index, definition, read.config),
  );
  if (own.length === 0) return [];
  const index = indexRivals(published, definitions);
  const isRival = ({ workflowId, channels }: Rival): boolean =>
    workflowId !== canvas.id && haveUsersInCommon(canvas.settings.channels, channels);
  const comparing = createComparing(index);
  return own.flatMap((ours) => [
    ...checkKeywords(ours, findCandidates(ours, index).filter(isRival), comparing),
    ...checkFallback(ours, ours.isFallback ? index.fallbacks.filter(isRival) : []),
  ]);
}

function createComparing({ readings, byIdentifier }: RivalIndex): Comparing {
  const own = new Map<string, Reading>(); // a list of published workflows may outlive many drafts
  let left: number = limits.comparingWork;
  return {
    read(text) {
      const known = readings.get(text) ?? own.get(text);
      if (known !== undefined) return known;
      const message = { type: 'text', text };
      const reading = { message, once: createOnce(message) };
      (byIdentifier.has(text) ? readings : own).set(text, reading);
      return reading;
    },
    spend: (work) => (left -= work) >= 0,
    isOver: () => left < 0,
  };
}

/** The index of the last definitions for each list. The canvases of a workspace are all checked against one list, in linear time. */
const indexes = new WeakMap<
  readonly PublishedWorkflow[],
  { readonly definitions: readonly NodeDefinition[]; readonly index: RivalIndex }
>();

function indexRivals(published: readonly PublishedWorkflow[], definitions: readonly NodeDefinition[]): RivalIndex {
  const known = indexes.get(published);
  if (known?.definitions === definitions) return known.index;
  const types = nodeTypes(definitions);
  const all = published.flatMap(({ workflowId, canvas }) =>
    readStarts(canvas, types).map((start): Rival => ({ ...start, workflowId, channels: canvas.settings.channels })),
  );
  const index = {
    all,
    byWord: groupByEach(all, ({ words }) => words ?? []),
    byIdentifier: groupByEach(all, listIdentifiers),
    wordless: all.filter(({ words }) => words === undefined),
    fallbacks: all.filter(({ isFallback }) => isFallback),
    readings: new Map<string, Reading>(),
  };
  indexes.set(published, { definitions, index });
  return index;
}

function groupByEach(rivals: readonly Rival[], keysOf: (rival: Rival) => Iterable<string>): ReadonlyMap<string, readonly Rival[]> {
  const groups = new Map<string, Rival[]>();
  for (const rival of rivals) {
    for (const key of keysOf(rival)) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [rival]);
      else known.push(rival);
    }
  }
  return groups;
}

const listIdentifiers = ({ identifiers, keywords }: Start): ReadonlySet<string> =>
  new Set([...identifiers, ...keywords].map(({ text }) => text));

/** The starts that may match a message which this one matches. */
function findCandidates(ours: Start, { all, byWord, byIdentifier, wordless }: RivalIndex): readonly Rival[] {
  const { words } = ours;
  if (words === undefined) return all;
  const byText = [...listIdentifiers(ours)].flatMap((text) => byIdentifier.get(text) ?? []);
  return [...new Set([...wordless, ...[...words].flatMap((word) => byWord.get(word) ?? []), ...byText])];
}

/** Whether both canvases are for a common channel; one without a list is for all. */
const haveUsersInCommon = (ours: readonly Channel[] | undefined, theirs: readonly Channel[] | undefined): boolean =>
  ours === undefined || theirs === undefined || ours.some((channel) => theirs.includes(channel));

function readStarts(canvas: Canvas, types: NodeTypes): readonly Start[] {
  if (canvas.kind !== 'skill') return [];
  return upgradeCanvas(canvas, types).canvas.nodes.flatMap(({ id, type, data }, index) => {
    const definition = types.get(type);
    if (definition?.entry?.kind !== 'message') return [];
    const config = definition.config.safeParse(divideData(data).config);
    return config.success ? readStart(id, index, definition, config.data) : [];
  });
}

function readStart(nodeId: string, index: number, { entry }: NodeDefinition, config: unknown): readonly Start[] {
  if (entry?.kind !== 'message') return [];
  const keywords = entry.keywords?.(config) ?? [];
  const interrupts = entry.interrupts?.(config) === true;
  const identifiers = entry.identifiers?.(config) ?? [];
  const isFallback = entry.match(config, messageWithoutText) === 'fallback';
  return [{ nodeId, index, entry, config, interrupts, keywords, identifiers, words: collectWords(keywords), isFallback }];
}

/** A start without keywords may match by a pattern: nothing is known of it. */
function collectWords(keywords: readonly Keyword[]): ReadonlySet<string> | undefined {
  if (keywords.length === 0) return undefined;
  const words = new Set<string>();
  for (const keyword of keywords) {
    if (keyword.words === undefined || keyword.words.length === 0) return undefined;
    for (const word of keyword.words) words.add(word);
  }
  return words;
}

/** A message that no keyword matches. */
const messageWithoutText = { type: 'any' } as const;

/** A keyword, payload or reference of a start that rivals match too. */
interface Conflict {
  readonly word: string;
  readonly at: Keyword['at'];
  readonly isInterrupt: boolean;
  readonly rivals: Rival[];
}

/** One problem for each keyword, payload and reference, which names the workflows that match it too. */
function checkKeywords(ours: Start, rivals: readonly Rival[], comparing: Comparing): readonly Problem[] {
  const conflicts = new Map<string, Conflict>();
  for (const rival of rivals) {
    const isInterrupt = ours.interrupts && rival.interrupts;
    for (const { text: word, at } of [...findShared(ours, rival, comparing), ...findSharedIdentifiers(ours, rival)]) {
      const key = JSON.stringify([isInterrupt, word, at]);
      const conflict = conflicts.get(key);
      if (conflict === undefined) conflicts.set(key, { word, at, isInterrupt, rivals: [rival] });
      else conflict.rivals.push(rival);
    }
  }
  return [
    ...[...conflicts.values()].map((conflict) => describeConflict(ours, conflict)),
    ...(comparing.isOver() ? [notCompared(ours)] : []),
  ];
}

/** What the other workflows begin with is known no further. */
const notCompared = ({ nodeId, index }: Start): Problem =>
  problem(
    'SAME_KEYWORD',
    ['nodes', index, 'data', 'keywords'],
    'Whether other workflows begin with these keywords is not known of all: their patterns take too much work. Use fewer or simpler ones',
    nodeId,
  );

/** Our keywords that the rival matches, since a keyword may match longer texts; else its first one that we match, at the place of our list. */
function findShared(ours: Start, rival: Rival, comparing: Comparing): readonly Keyword[] {
  const shared = ours.keywords.filter(({ text }) => matchesKeyword(rival, text, comparing));
  if (shared.length > 0) return shared;
  const theirs = rival.keywords.find(({ text }) => matchesKeyword(ours, text, comparing));
  return theirs === undefined ? [] : [{ ...theirs, at: theirs.at.slice(0, 1) }];
}

/** Our payloads and references that the rival matches; else its first one that we match, at the place of our keyword. */
function findSharedIdentifiers(ours: Start, rival: Rival): readonly Pick<Keyword, 'text' | 'at'>[] {
  const shared = ours.identifiers.filter(({ message }) => matchesIdentifier(rival, message));
  if (shared.length > 0) return shared;
  const theirs = rival.identifiers.find(({ message }) => matchesIdentifier(ours, message));
  return theirs === undefined ? [] : [{ text: theirs.text, at: ours.keywords.find(({ text }) => text === theirs.text)?.at ?? [] }];
}

const matchesIdentifier = ({ entry, config }: Start, message: JsonObject): boolean => entry.match(config, message) === 'payload';

function matchesKeyword({ entry, config }: Start, text: string, { read, spend }: Comparing): boolean {
  const { message, once } = read(text);
  return entry.match(config, message, { once, spend }) === 'keyword';
}

function describeConflict(ours: Start, { word, at, isInterrupt, rivals }: Conflict): Problem {
  const [code, message] = isInterrupt
    ? (['SAME_INTERRUPT', `"${word}" interrupts for ${nameWorkflows(rivals)}, too: only one of them can begin`] as const)
    : (['SAME_KEYWORD', `"${word}" begins ${nameWorkflows(rivals)}, too: a message starts only one of them`] as const);
  return problem(code, ['nodes', ours.index, 'data', ...at], message, ours.nodeId);
}

function checkFallback(ours: Start, rivals: readonly Rival[]): readonly Problem[] {
  if (rivals.length === 0) return [];
  const message = `A message that no keyword takes begins ${nameWorkflows(rivals)}, too: it starts only one of them`;
  return [problem('SAME_FALLBACK', ['nodes', ours.index, 'data', 'fallback'], message, ours.nodeId)];
}

/** Such as `workflow "a"`, or `workflows "a", "b"`. */
function nameWorkflows(rivals: readonly Rival[]): string {
  const ids = [...new Set(rivals.map(({ workflowId }) => `"${workflowId}"`))];
  return `${ids.length === 1 ? 'workflow' : 'workflows'} ${joinNames(ids)}`;
}
