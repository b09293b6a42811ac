import { type Canvas, type Problem, pointer } from '@hilo/engine/contract';
import { start } from '@hilo/nodes';

/**
 * What a canvas begins with that another published workflow of its company begins with, too: of two that take the same
 * message only the first by its id is started.
 *
 * @param published - the latest versions of the company; read only where the canvas begins with a message
 */
export async function rivalStarts(canvas: Canvas, published: () => Promise<readonly PublishedCanvas[]>): Promise<readonly Problem[]> {
  const own = startsOf(canvas);
  if (own.length === 0) return [];
  const others = (await published()).filter(({ workflowId }) => workflowId !== canvas.id);
  const theirs = others.flatMap((other) => startsOf(other.canvas).map((begins) => ({ ...begins, workflowId: other.workflowId })));
  return own.flatMap((ours) => theirs.flatMap((rival) => [...sameKeywords(ours, rival), ...sameFallback(ours, rival)]));
}

/** A workflow that is published. */
export interface PublishedCanvas {
  readonly workflowId: string;
  readonly canvas: Canvas;
}

interface Start {
  readonly nodeId: string;
  readonly index: number;
  /** As they are compared: without case and accents. */
  readonly keywords: readonly string[];
  readonly fallback: boolean;
}
type Rival = Start & { readonly workflowId: string };

/** A tool is called, never talked to. */
const startsOf = ({ kind, nodes }: Canvas): readonly Start[] =>
  nodes.flatMap(({ id: nodeId, type, data: { keywords, match, fallback } }, index) => {
    if (kind !== 'skill' || type !== 'start') return [];
    const { data } = start.config.safeParse({ keywords, match, fallback });
    if (data === undefined) return [];
    // What a pattern or a part of a message matches is not known before somebody writes it.
    return [{ nodeId, index, fallback: data.fallback, keywords: data.match === 'exact' ? data.keywords : [] }];
  });

const sameKeywords = (ours: Start, { keywords, workflowId }: Rival): readonly Problem[] =>
  ours.keywords.flatMap((keyword, at) =>
    keywords.includes(keyword)
      ? [
          {
            ...placeOf(ours, ['keywords', at]),
            code: 'SAME_KEYWORD',
            message: `Workflow "${workflowId}" begins with "${keyword}", too: a message starts only one of them`,
            hint: 'Take the keyword out of one of the two: the first workflow by its id is started.',
          },
        ]
      : [],
  );

const sameFallback = (ours: Start, { fallback, workflowId }: Rival): readonly Problem[] =>
  ours.fallback && fallback
    ? [
        {
          ...placeOf(ours, ['fallback']),
          code: 'SAME_FALLBACK',
          message: `Workflow "${workflowId}" takes every message that no keyword takes, too: a message starts only one of them`,
          hint: 'Leave one fallback in the company: the first workflow by its id is started.',
        },
      ]
    : [];

const placeOf = ({ nodeId, index }: Start, field: readonly PropertyKey[]) => ({
  severity: 'warning' as const,
  nodeId,
  pointer: pointer(['nodes', index, 'data', ...field]),
});
