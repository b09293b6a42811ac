import type { Json } from '@hilo/engine/contract';
import fc from 'fast-check';

/**
 * Words that random canvases and random scripts share, so that what is said is often an answer, what is signalled is
 * often waited for, and what is read is always there.
 */
export const vocabulary = {
  keywords: ['hello', 'order', 'ñandú'],
  options: ['Yes', 'No', 'Later', 'Perhaps'],
  signals: ['paid', 'sent'],
  correlations: ['', '7'],
  /** Variables that every random canvas declares, with their defaults. */
  declared: { count: 0, name: 'Ana', answer: null, flag: true, list: ['a', 'b'], result: null } satisfies { readonly [name: string]: Json },
  webhookVariable: 'hook',
  userIdPath: 'user.id',
  executionIdPath: 'meta.executionId',
} as const;

/** ISO 8601 durations of waits, short ones first. */
export const waitDuration: fc.Arbitrary<string> = fc.constantFrom('PT10M', 'PT1H', 'PT1M', 'PT20S', 'PT6H', 'P1D', 'P3D');

const readings = [
  "{{$user.names ?? 'you'}}",
  '{{$context.count}}',
  '{{$context.name}}',
  '{{$context.answer}}',
  '{{$context.list}}',
  "{{$message.text ?? 'nothing'}}",
  "{{$memory.city ?? 'nowhere'}}",
  "{{$item ?? 'no item'}}",
  "{{$error.cause ?? ''}}",
  "{{$webhook.hook.body.id ?? 'no call'}}",
  '{{$context.result.body.state ?? $context.flag}}',
];

/** A text with expressions in it, all of which can be evaluated wherever they stand. */
export const templateText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('Hello', 'How are you?', 'Good bye'),
  fc
    .tuple(fc.constantFrom('Hello ', 'It is ', ''), fc.constantFrom(...readings), fc.constantFrom('', '!', ' and {{$context.flag}}'))
    .map((parts) => parts.join('')),
);

/** A value with expressions in it. */
export const templateValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(1, 'text', true, null, [1, 2], { state: 'lost' }),
  fc.constantFrom(...readings),
  fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom<Json>(...readings, 7), { minKeys: 1, noNullPrototype: true }),
);
