import type { Canvas } from '../contract/canvas.ts';
import { divideData } from '../contract/common-data.ts';
import type { Channel } from '../contract/execution.ts';
import type { Keyword, NodeDefinition } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import type { NodeTypes } from './compile.ts';
import { problem } from './problem-codes.ts';
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
}
type Rival = Start & { readonly workflowId: string };

/**
 * Starts of a canvas that another published workflow of its company claims too: of two that match the same message only the first by
 * its id is started. Two that both interrupt for one keyword are an error: which of them ends the current conversation must not depend
 * on an id.
 */
export function checkRivals(
  canvas: Canvas,
  lone: readonly LoneNode[],
  published: readonly PublishedWorkflow[],
  types: NodeTypes,
): readonly Problem[] {
  if (canvas.kind !== 'skill') return []; // a tool is called, never talked to
  const own = lone.flatMap(({ id, index, definition, read }) => (read === undefined ? [] : startOf(id, index, definition, read.config)));
  if (own.length === 0) return [];
  const rivals = published
    .filter((other) => other.workflowId !== canvas.id && haveUsersInCommon(canvas.settings.channels, other.canvas.settings.channels))
    .flatMap(({ workflowId, canvas: other }) => startsOf(other, types).map((start): Rival => ({ ...start, workflowId })));
  return own.flatMap((ours) => rivals.flatMap((rival) => [...sameKeywords(ours, rival), ...sameFallback(ours, rival)]));
}

/** Whether some channel's users reach both canvases; a canvas without a list is for all channels. */
const haveUsersInCommon = (ours: readonly Channel[] | undefined, theirs: readonly Channel[] | undefined): boolean =>
  ours === undefined || theirs === undefined || ours.some((channel) => theirs.includes(channel));

function startsOf({ kind, nodes }: Canvas, types: NodeTypes): readonly Start[] {
  if (kind !== 'skill') return [];
  return nodes.flatMap(({ id, type, data }, index) => {
    const definition = types.get(type);
    if (definition?.entry?.kind !== 'message') return [];
    const config = definition.config.safeParse(divideData(data).config);
    return config.success ? startOf(id, index, definition, config.data) : [];
  });
}

function startOf(nodeId: string, index: number, { entry }: NodeDefinition, config: unknown): readonly Start[] {
  if (entry?.kind !== 'message') return [];
  return [{ nodeId, index, entry, config, interrupts: entry.interrupts?.(config) === true }];
}

/** A keyword also matches message starts: where both match it, both claim it. Reported at our keyword, or at our list when only theirs is known. */
function sameKeywords(ours: Start, rival: Rival): readonly Problem[] {
  const claimed = keywordsOf(ours).filter(({ text }) => takes(rival, text));
  if (claimed.length > 0) return claimed.map(({ text, at }) => sameKeyword(ours, rival, text, at));
  const theirs = keywordsOf(rival).find(({ text }) => takes(ours, text));
  return theirs === undefined ? [] : [sameKeyword(ours, rival, theirs.text, theirs.at.slice(0, 1))];
}

const keywordsOf = ({ entry, config }: Start): readonly Keyword[] => entry.keywords?.(config) ?? [];

const takes = ({ entry, config }: Start, text: string): boolean => entry.match(config, { type: 'text', text }) === 'keyword';

function sameKeyword(ours: Start, { interrupts, workflowId }: Rival, word: string, at: Keyword['at']): Problem {
  const [code, message] =
    ours.interrupts && interrupts
      ? (['SAME_INTERRUPT', `"${word}" interrupts for workflow "${workflowId}", too: only one of them can begin`] as const)
      : (['SAME_KEYWORD', `Workflow "${workflowId}" begins with "${word}", too: a message starts only one of them`] as const);
  return problem(code, ['nodes', ours.index, 'data', ...at], message, ours.nodeId);
}

/** A message that no keyword matches: of a type without text. */
const anyMessage = { type: 'any' } as const;

function sameFallback(ours: Start, rival: Rival): readonly Problem[] {
  const isFallback = ({ entry, config }: Start): boolean => entry.match(config, anyMessage) === 'fallback';
  if (!isFallback(ours) || !isFallback(rival)) return [];
  const message = `Workflow "${rival.workflowId}" takes every message that no keyword takes, too: a message starts only one of them`;
  return [problem('SAME_FALLBACK', ['nodes', ours.index, 'data', 'fallback'], message, ours.nodeId)];
}
