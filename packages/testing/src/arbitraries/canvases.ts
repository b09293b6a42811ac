import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { innerTypes, type Sequence, sequences } from './blocks.ts';
import { buildCanvas, type CanvasJson, type CanvasPlan } from './build-canvas.ts';
import { definitionOf } from './definitions.ts';
import { nodeConfigs, type NodeType } from './node-configs.ts';

/** Which canvases are made. */
export interface CanvasOptions {
  /** Types of node to choose from; all, when left out. Where executions begin and end is always there. */
  readonly nodes?: readonly NodeType[];
  readonly id?: string;
}

/** A canvas with those that it calls or jumps to. */
export type CanvasFamily = {
  /** `main`; calls `child-1` and `child-2`, or jumps to them. */
  readonly main: CanvasJson;
  /** `child-1`, which may call `child-2`, and `child-2`. */
  readonly children: readonly CanvasJson[];
};

/** Ids that a node may have though they look like something else. */
const oddIds = ['none', 'length', 'a:b', '-', '0'] as const;

const everyType = Object.keys(nodeConfigs) as readonly NodeType[];
/** Types that only mean something where there are other canvases. */
const callingTypes: ReadonlySet<NodeType> = new Set<NodeType>(['workflow', 'jump']);
/** Whether a tool may have nodes of a type: it has no user to talk with. */
const isForTools = (type: NodeType): boolean => definitionOf(type).supports.kinds.includes('tool');

/**
 * Valid canvases: no check finds an error in them. They call no other canvas.
 *
 * @example
 * fc.assert(fc.property(canvas({ nodes: ['ask', 'message'] }), (made) => parseCanvas(made).canvas !== undefined));
 */
export const canvas = ({ nodes = everyType, id = 'main' }: CanvasOptions = {}): fc.Arbitrary<CanvasJson> =>
  plans(
    id,
    nodes.filter((type) => !callingTypes.has(type)),
  ).map(buildCanvas);

/** Valid canvases that call each other: children that return, and jumps that do not. */
export function canvasFamily({ nodes = everyType }: Omit<CanvasOptions, 'id'> = {}): fc.Arbitrary<CanvasFamily> {
  const calls = (type: NodeType) => callingTypes.has(type);
  return fc
    .tuple(
      plans('main', nodes),
      children('child-1', nodes),
      children(
        'child-2',
        nodes.filter((type) => !calls(type)),
      ),
    )
    .map(([main, first, second]) => ({
      main: buildCanvas(main),
      children: [buildCanvas(onlyCalls(first, 'child-2')), buildCanvas(second)],
    }));
}

function plans(id: string, types: readonly NodeType[]): fc.Arbitrary<CanvasPlan> {
  const hasWebhook = types.includes('webhook') ? fc.boolean() : fc.constant(false);
  return hasWebhook.chain((isCalled) => {
    const inner = sequences({ types: isCalled ? types : types.filter((type) => type !== 'wait-external') });
    return record<CanvasPlan>(
      {
        id: fc.constant(id),
        kind: fc.constant('skill'),
        start: nodeConfigs.start.map((config) => ({ ...config, fallback: true })),
        body: inner,
        ...(isCalled && { webhook: nodeConfigs.webhook }),
      },
      {
        sessionExpiry: fc.constantFrom('P2D', 'PT12H'),
        ids: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.shuffledSubarray([...oddIds]) }),
        ...(isCalled && { afterCall: inner }),
        ...(types.includes('catch') && { caught: inner }),
        ...(types.includes('note') && { note: nodeConfigs.note }),
      },
    );
  });
}

/** Canvases for others to call; some are tools. None of them begins by a message. */
function children(id: string, types: readonly NodeType[]): fc.Arbitrary<CanvasPlan> {
  const silent = types.filter((type) => isForTools(type) && type !== 'wait-external');
  const plan = (kind: 'skill' | 'tool', body: fc.Arbitrary<Sequence>) =>
    record<CanvasPlan>(
      { id: fc.constant(id), kind: fc.constant(kind), start: fc.constant<JsonObject>({}), body },
      types.includes('catch') ? { caught: body } : {},
    );
  const skill = plan('skill', sequences({ types: types.filter((type) => type !== 'wait-external') }));
  return silent.some((type) => innerTypes.some((inner) => inner === type))
    ? fc.oneof({ weight: 3, arbitrary: skill }, { weight: 1, arbitrary: plan('tool', sequences({ types: silent })) })
    : skill;
}

/** A plan in which every call and every jump leads to one canvas, so that no canvas calls itself. */
const onlyCalls = (plan: CanvasPlan, workflowId: string): CanvasPlan =>
  JSON.parse(JSON.stringify(plan), (key: string, value: unknown) => (key === 'workflowId' ? workflowId : value)) as CanvasPlan;

/** A record with a random subset of the fields. */
const record = <Value>(
  required: { readonly [name: string]: fc.Arbitrary<unknown> },
  others: { readonly [name: string]: fc.Arbitrary<unknown> },
): fc.Arbitrary<Value> => fc.record({ ...required, ...others }, { requiredKeys: Object.keys(required) }) as fc.Arbitrary<Value>;
