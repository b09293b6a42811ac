import { describe, expect, it } from 'vitest';
import { findBareVariable } from './bare-variable.ts';

/** A text as it is offered to its author. */
const braced = (text: string): string | undefined => {
  const found = findBareVariable(text);
  return found && `${text.slice(0, found.start)}${found.replacement ?? ''}${text.slice(found.end)}`;
};

describe('a variable without its braces', () => {
  it.each([
    ['$context.order.total', '{{$context.order.total}}'],
    ['Hello $user.names, welcome', 'Hello {{$user.names}}, welcome'],
    ['Hello {$user.names}!', 'Hello {{$user.names}}!'],
    ['Hello ${user.names}!', 'Hello {{$user.names}}!'],
    ['Hello ${ user.names }!', 'Hello {{$user.names}}!'],
    ['The total is $context.order.lines[0].total.', 'The total is {{$context.order.lines[0].total}}.'],
    ['{{$context["a"].size()}} $context.a', '{{$context["a"].size()}} {{$context.a}}'],
    ['{{$user.names}}, ($context.a)', '{{$user.names}}, ({{$context.a}})'],
  ])('%s is offered as %s', (text, offered) => expect(braced(text)).toBe(offered));

  it.each(['It costs $5.00', '{{$user.names}}', 'See a$b.c', '$nobody.name', '{{ $context.a + $context.b }} only', ''])(
    'is not in %j',
    (text) => expect(findBareVariable(text)).toBeUndefined(),
  );
});
