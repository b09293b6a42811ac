import { expect, it } from 'vitest';
import { isOfApp } from '../api/inbox-calls.ts';
import { answersIn, shownField } from './ConversationDetails.tsx';

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

it('a field of a contact is shown as a line, and not at all where it is not known', () => {
  const shown = ['Lima', 7, false, ['tea', 'coffee'], '', null, undefined].map(shownField);
  expect(shown).toEqual(['Lima', '7', 'false', 'tea, coffee', '', '', '']);
});

it('a person who answers in the app is told from nobody, until somebody here takes the conversation', () => {
  const operator = { id: 7, names: 'Olga' };
  expect(isOfApp({ origin: 'app', operator: null })).toBe(true);
  expect(isOfApp({ origin: 'app', operator })).toBe(false);
  expect(isOfApp({ origin: 'organic', operator: null })).toBe(false);
});
