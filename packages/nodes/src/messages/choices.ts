import { z } from 'zod';
import { type Dialect, list, mustBe, optionalText, describe, text } from './dialect.ts';

/** The list of options below a text (MSG-13 to MSG-18). */
export function buttons(dialect: Dialect) {
  const { object } = dialect;
  const option = object({
    title: describe('The option as the user reads it', text(dialect, 24), 'Home delivery'),
    description: describe('A second line below the title of the option', optionalText(dialect, 72), 'Within two days'),
    payload: describe(
      'The payload of a reply with this option, and the port of an "ask"; the title, when left out',
      optionalText(dialect),
      'delivery',
    ),
  }).transform(
    // A blank payload does not identify the choice: the title replaces it too.
    ({ payload = '', ...option }) => ({ ...option, payload: payload.trim() === '' ? option.title : payload }),
  );
  const buttonText = object({
    type: describe('Always "text"', z.literal('text', { error: mustBe('"text"') })),
    text: describe('The label of the button that opens the list', text(dialect).default('Opciones'), 'Choose'),
  });
  return object({
    title: describe('The heading of the list of options', optionalText(dialect), 'How do you want it?'),
    buttonText: describe('The button that opens the list of options', buttonText.default({ type: 'text', text: 'Opciones' })),
    options: describe(
      'The options to choose from, each with a payload of its own',
      list(option, { min: 1, max: 10 }).superRefine(
        refuseRepeats(({ payload }) => payload, 'payload', 'give each option a payload of its own'),
      ),
    ),
  });
}

/** The buttons of a quick reply (MSG-19, MSG-20). A reply names one by its title, so titles differ. */
export function quickReplies(dialect: Dialect) {
  const reply = dialect.object({ title: describe('The label of the button, which is also the reply', text(dialect, 20), 'Yes') });
  return list(reply, { min: 1, max: 3 }).superRefine(
    refuseRepeats(({ title }) => title, 'title', 'give each quick reply a title of its own'),
  );
}

/** Refuses a list in which two items have the same key (MSG-18). The issue is at the later of the two. */
export const refuseRepeats =
  <Item>(keyOf: (item: Item) => string | number, field: string, remedy: string) =>
  (items: readonly Item[], context: z.RefinementCtx): void => {
    const firstAt = new Map<string | number, number>();
    for (const [index, item] of items.entries()) {
      const first = firstAt.get(keyOf(item));
      if (first === undefined) firstAt.set(keyOf(item), index);
      else {
        const message = `Items ${first + 1} and ${index + 1} have the same ${field} "${keyOf(item)}": ${remedy}`;
        context.addIssue({ code: 'custom', path: [index, field], message });
      }
    }
  };
