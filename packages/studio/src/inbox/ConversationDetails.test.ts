import { expect, it } from 'vitest';
import { answersIn } from './ConversationDetails.tsx';

it('what the bot knew is what was answered and remembered, by its name', () => {
  const variables = {
    $context: { executionId: 'e1', order: 7 },
    $memory: { plan: 'gold' },
    $company: { id: '1' },
    $error: { cause: null },
  };
  expect(answersIn(variables)).toEqual({ order: 7, plan: 'gold' });
  for (const other of [{}, { $context: null }, { $context: [] }]) expect(answersIn(other)).toEqual({});
});
