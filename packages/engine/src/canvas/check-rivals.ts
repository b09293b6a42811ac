import type { Canvas } from '../contract/canvas.ts';
import { divideData } from '../contract/common-data.ts';
import type { Channel } from '../contract/execution.ts';
import type { Keyword, NodeDefinition } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { type NodeTypes, nodeTypes } from './compile.ts';
import { joinNames, problem } from './problem-codes.ts';
import type { LoneNode } from './read-node.ts';

/** The canvas of a workflow that is published. */
export interface PublishedWorkflow {
  readonly workflowId: string;
  readonly canvas: Canvas;
}

/** A node at which a user's message begins a workflow. */
interface Start {
  readonly nodeId: string;
  readonly index: number;
  readonly entry: Extract<NonNullable<NodeDefinition['entry']>, { readonly kind: 'message' }>;
  readonly config: unknown;
  readonly interrupts: boolean;
  readonly keywords: readonly Keyword[];
  /** The words of its keywords, of which each message that they match holds one; `undefined` where a message need not hold any. */
  readonly words: ReadonlySet<string> | undefined;
  readonly isFallback: boolean;
}
type Rival = Start & { readonly workflowId: string; readonly channels: readonly Channel[] | undefined };

/** The starts of published workflows, so arranged that one is compared only with those that may claim the same message. */
interface Rivals {
  readonly all: readonly Rival[];
  readonly byWord: ReadonlyMap<string, readonly Rival[]>;
  /** Those of which no word is known. */
  readonly wordless: readonly Rival[];
  readonly fallbacks: readonly Rival[];
}

/**
 * Starts of a canvas that another published workflow of its company claims too: of two that match the same message only the first by
 * its id is started. Two that both interrupt for one keyword are an error: which of them ends the current conversation must not depend
 * on an id.
 */
export function checkRivals(
  canvas: Canvas,
  lone: readonly LoneNode[],
  published: readonly PublishedWorkflow[],
  definitions: readonly NodeDefinition[],
): readonly Problem[] {
  if (canvas.kind !== 'skill') return []; // a tool is called, never talked to
  const own = lone.flatMap(({ id, index, definition, read }) => (read === undefined ? [] : readStart(id, index, definition, read.config)));
  if (own.length === 0) return [];
  const rivals = collectRivals(published, definitions);
  const isRival = ({ workflowId, channels }: Rival): boolean =>
    workflowId !== canvas.id && haveUsersInCommon(canvas.settings.channels, channels);
  return own.flatMap((ours) => [
    ...checkKeywords(ours, findCandidates(ours, rivals).filter(isRival)),
    ...checkFallback(ours, ours.isFallback ? rivals.fallbacks.filter(isRival) : []),
  ]);
}

/** The canvases of a workspace are all checked against one list: it is arranged once, and the check stays linear in them. */
function collectRivals(published: readonly PublishedWorkflow[], definitions: readonly NodeDefinition[]): Rivals {
  const known = arranged.get(published);
  if (known?.definitions === definitions) return known.rivals;
  const types = nodeTypes(definitions);
  const rivals = arrange(
    published.flatMap(({ workflowId, canvas }) =>
      readStarts(canvas, types).map((start): Rival => ({ ...start, workflowId, channels: canvas.settings.channels })),
    ),
  );
  arranged.set(published, { definitions, rivals });
  return rivals;
}

/** What was computed from a list and definitions; it goes with the list. */
const arranged = new WeakMap<readonly PublishedWorkflow[], { readonly definitions: readonly NodeDefinition[]; readonly rivals: Rivals }>();

function arrange(all: readonly Rival[]): Rivals {
  const byWord = new Map<string, Rival[]>();
  for (const rival of all) {
    for (const word of rival.words ?? []) {
      const known = byWord.get(word);
      if (known === undefined) byWord.set(word, [rival]);
      else known.push(rival);
    }
  }
  return { all, byWord, wordless: all.filter(({ words }) => words === undefined), fallbacks: all.filter(({ isFallback }) => isFallback) };
}

/** The starts that may claim a message which this one claims. */
function findCandidates({ words }: Start, { all, byWord, wordless }: Rivals): readonly Rival[] {
  if (words === undefined) return all;
  return [...new Set([...wordless, ...[...words].flatMap((word) => byWord.get(word) ?? [])])];
}

/** Whether some channel's users reach both canvases; a canvas without a list is for all channels. */
const haveUsersInCommon = (ours: readonly Channel[] | undefined, theirs: readonly Channel[] | undefined): boolean =>
  ours === undefined || theirs === undefined || ours.some((channel) => theirs.includes(channel));

function readStarts({ kind, nodes }: Canvas, types: NodeTypes): readonly Start[] {
  if (kind !== 'skill') return [];
  return nodes.flatMap(({ id, type, data }, index) => {
    const definition = types.get(type);
    if (definition?.entry?.kind !== 'message') return [];
    const config = definition.config.safeParse(divideData(data).config);
    return config.success ? readStart(id, index, definition, config.data) : [];
  });
}

function readStart(nodeId: string, index: number, { entry }: NodeDefinition, config: unknown): readonly Start[] {
  if (entry?.kind !== 'message') return [];
  const keywords = entry.keywords?.(config);
  const isFallback = entry.match(config, anyMessage) === 'fallback';
  return [
    {
      nodeId,
      index,
      entry,
      config,
      interrupts: entry.interrupts?.(config) === true,
      keywords: keywords ?? [],
      words: keywords && collectWords(keywords),
      isFallback,
    },
  ];
}

/** Of a start without keywords nothing is known: it may match by a pattern that no message stands for. */
function collectWords(keywords: readonly Keyword[]): ReadonlySet<string> | undefined {
  if (keywords.length === 0) return undefined;
  const words = new Set<string>();
  for (const keyword of keywords) {
    if (keyword.words === undefined || keyword.words.length === 0) return undefined;
    for (const word of keyword.words) words.add(word);
  }
  return words;
}

/** A message that no keyword matches: of a type without text. */
const anyMessage = { type: 'any' } as const;

/** A keyword that a start and others claim. */
interface Claim {
  readonly word: string;
  readonly at: Keyword['at'];
  readonly isInterrupt: boolean;
  readonly rivals: Rival[];
}

/** One problem a keyword, which names the workflows that claim it too. */
function checkKeywords(ours: Start, rivals: readonly Rival[]): readonly Problem[] {
  const claims = new Map<string, Claim>();
  for (const rival of rivals) {
    const isInterrupt = ours.interrupts && rival.interrupts;
    for (const { text: word, at } of findClaimed(ours, rival)) {
      const key = JSON.stringify([isInterrupt, word, at]);
      const claim = claims.get(key);
      if (claim === undefined) claims.set(key, { word, at, isInterrupt, rivals: [rival] });
      else claim.rivals.push(rival);
    }
  }
  return [...claims.values()].map((claim) => describeClaim(ours, claim));
}

/** A keyword also matches message starts: where both match it, both claim it. Ours, or theirs at the place of our list when only theirs is known. */
function findClaimed(ours: Start, rival: Rival): readonly Keyword[] {
  const known = ours.keywords.filter(({ text }) => takes(rival, text));
  if (known.length > 0) return known;
  const theirs = rival.keywords.find(({ text }) => takes(ours, text));
  return theirs === undefined ? [] : [{ ...theirs, at: theirs.at.slice(0, 1) }];
}

const takes = ({ entry, config }: Start, text: string): boolean => entry.match(config, { type: 'text', text }) === 'keyword';

function describeClaim(ours: Start, { word, at, isInterrupt, rivals }: Claim): Problem {
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
