import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { definitionOf } from './definitions.ts';
import { nodeConfigs, type NodeType } from './node-configs.ts';

/**
 * A part of a canvas with one entry and one exit: a canvas composed of such parts has no dead end, no busy loop, and no unconnected
 * port.
 */
export type Block = Step | Loop;

/** A node, and where its ports lead. */
export interface Step {
  readonly kind: 'step';
  readonly type: NodeType;
  readonly data: JsonObject;
  /** The sequence after each required port, in their order; other ports continue at once. For `for-each`, its body. */
  readonly ways: readonly Sequence[];
  /** Which of the ports that may stay without an edge have one. */
  readonly handled: 'all' | 'error' | 'none';
  /** Whether the question is repeated after `other`. */
  readonly isRepeated: boolean;
}

/** A body that repeats, with a wait inside, until a choice leaves it. */
export interface Loop {
  readonly kind: 'loop';
  readonly body: Sequence;
  readonly wait: Step;
  /** Its first port leads back to the body. */
  readonly choice: Step;
}

/** Blocks one after the other; with an exit, nothing comes after them. */
export interface Sequence {
  readonly blocks: readonly Block[];
  readonly exit?: { readonly type: 'end' | 'jump'; readonly data: JsonObject };
}

/** The parts of a sequence. */
export interface SequenceOptions {
  /** Types of node; all when left out. Those at which executions begin or end have a place of their own in a canvas. */
  readonly types?: readonly NodeType[];
  /** Whether a sequence may end the execution by itself; it may, when left out. */
  readonly hasExits?: boolean;
}

/** Types that may be anywhere inside a flow. */
export const innerTypes = [
  'message',
  'ask',
  'set',
  'condition',
  'switch',
  'random',
  'for-each',
  'business-hours',
  'delay',
  'wait-until',
  'wait-event',
  'wait-external',
  'send-event',
  'collect',
  'template',
  'api',
  'soap',
  'database',
  'code',
  'ai-task',
  'decide',
  'agent',
  'function',
  'handoff',
  'payment',
  'tags',
  'group',
  'consent',
  'log',
  'respond',
  'workflow',
] as const satisfies readonly NodeType[];

/** Types that several ways lead out of. */
const branching: ReadonlySet<NodeType> = new Set<NodeType>([
  'condition',
  'switch',
  'random',
  'ask',
  'for-each',
  'wait-until',
  'business-hours',
]);
/** Types with an effect, which may fail; those that do not try again by themselves may have a retry policy. */
const failing: ReadonlySet<NodeType> = new Set<NodeType>([
  'message',
  'template',
  'api',
  'soap',
  'database',
  'code',
  'ai-task',
  'decide',
  'agent',
  'function',
  'handoff',
  'payment',
  'tags',
  'group',
  'consent',
  'workflow',
]);

/** Types that may keep the user's messages while they work. */
const holding: ReadonlySet<NodeType> = new Set<NodeType>(['api', 'soap', 'database', 'ai-task', 'decide', 'agent', 'function']);

/** Relative frequencies of types. */
const weights: { readonly [Type in NodeType]?: number } = {
  message: 4,
  ask: 10,
  set: 4,
  api: 4,
  condition: 3,
  respond: 1,
  template: 1,
  soap: 1,
  database: 1,
  code: 1,
  'ai-task': 1,
  decide: 1,
  agent: 1,
  function: 1,
  handoff: 1,
  payment: 1,
  tags: 1,
  group: 1,
  consent: 1,
  log: 1,
};

/** Loops wait so long that no day has thousands of rounds. */
const loopWait: fc.Arbitrary<Step> = fc
  .constantFrom('PT6H', 'PT1H', 'P1D')
  .map((duration) => ({ kind: 'step', type: 'delay', data: { duration }, ways: [], handled: 'none', isRepeated: false }));

/** Random sequences, the smallest of which is empty. */
export function sequences({ types = [...innerTypes, 'jump'], hasExits = true }: SequenceOptions = {}): fc.Arbitrary<Sequence> {
  const allowed = innerTypes.filter((type) => types.includes(type));
  const ends = fc.oneof(
    ...(['end', 'jump'] as const)
      .filter((type) => type === 'end' || types.includes(type))
      .map((type) => nodeConfigs[type].map((data) => ({ type, data }))),
  );
  const choices = allowed.filter((type) => type === 'ask' || type === 'random' || type === 'condition' || type === 'switch');

  return fc.letrec<{ sequence: Sequence; block: Block; step: Step; loop: Loop }>((tie) => ({
    sequence: fc
      .tuple(
        fc.array(tie('block'), { maxLength: 4, size: 'max' }),
        fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: hasExits ? 1 : 0, arbitrary: ends }),
      )
      .map(([blocks, exit]): Sequence => (exit === undefined ? { blocks } : { blocks, exit })),
    block: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 5, arbitrary: stepsOf(allowed.filter((type) => !branching.has(type))) },
      { weight: 5, arbitrary: tie('step') },
      ...(allowed.includes('delay') && choices.length > 0 ? [{ weight: 1, arbitrary: tie('loop') }] : []),
    ),
    step: stepsOf(allowed, tie('sequence')),
    loop: fc.record({
      kind: fc.constant('loop' as const),
      body: tie('sequence'),
      wait: loopWait,
      choice: stepsOf(choices).filter(hasChoice),
    }),
  })).sequence;
}

/** Whether a step has a second way out: a question with an `input` has one answer. */
const hasChoice = ({ data }: Step): boolean => data['input'] === undefined;

/** Steps of some types. @param way - what follows a port; nothing, when left out */
function stepsOf(types: readonly NodeType[], way?: fc.Arbitrary<Sequence>): fc.Arbitrary<Step> {
  return fc.oneof(
    ...(types.length > 0 ? types : (['log'] as const)).map((type) => ({ weight: weights[type] ?? 2, arbitrary: stepOf(type, way) })),
  );
}

function stepOf(type: NodeType, way: fc.Arbitrary<Sequence> | undefined): fc.Arbitrary<Step> {
  const ways = way === undefined || !branching.has(type) ? fc.constant([]) : fc.array(way, { maxLength: type === 'for-each' ? 1 : 3 });
  return fc.record({
    kind: fc.constant('step' as const),
    type: fc.constant(type),
    data: fc.tuple(nodeConfigs[type] as fc.Arbitrary<JsonObject>, commonData(type)).map(([config, common]) => ({ ...config, ...common })),
    ways,
    // A hand-off has no required port: the flow continues by its optional ones.
    handled: type === 'handoff' ? fc.constant('all' as const) : fc.constantFrom('all' as const, 'error' as const, 'none' as const),
    isRepeated: fc.boolean(),
  });
}

/** The fields that every node may have. `mask` is left out: a masked history cannot be replayed. */
function commonData(type: NodeType): fc.Arbitrary<JsonObject> {
  const label = fc.constant('A node');
  const retry = fc.record({
    attempts: fc.integer({ min: 1, max: 3 }),
    delay: fc.constantFrom('PT1S', 'PT1M'),
    factor: fc.constantFrom(1, 2),
  });
  const hold = fc.record({ enabled: fc.boolean(), message: fc.constant('One moment'), onMessage: fc.constantFrom('discard', 'queue') });
  const fields = {
    label,
    ...(failing.has(type) && { onError: fc.constantFrom('port', 'fail') }),
    ...(failing.has(type) && definitionOf(type).supports.retry && { retry }),
    ...(holding.has(type) && { hold }),
  };
  return fc.oneof({ weight: 2, arbitrary: fc.constant<JsonObject>({}) }, { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) });
}
