import type { Json } from '@hilo/engine/contract';
import fc from 'fast-check';

/**
 * Words that random canvases and random scripts share, so that texts often answer questions, signals often match waits, and variables
 * that are read exist.
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

/** Durations of waits, short ones first; some are counted from the instant of the event. */
export const waitDuration: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('PT10M', 'PT1H', 'PT1M', 'PT20S', 'PT6H', 'P1D', 'P3D') },
  { weight: 1, arbitrary: fc.constantFrom("{{startOf($now, 'hour') + duration('PT1H') - $now}}", "{{duration('PT20M')}}") },
);

/** What the instant of the event is read as, in an expression. */
const timeReadings = [
  '{{$now}}',
  "{{format($now, 'yyyy-LL-dd HH:mm:ss.SSS', 'America/Lima', 'es')}}",
  "{{time($now + duration('PT90M'))}} on {{date($now, 'Asia/Kolkata')}}",
  "{{$now - startOf($now, 'day', 'Europe/Madrid')}}",
];

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
  ...timeReadings,
];

/** A text with expressions that can be evaluated at any place. */
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
