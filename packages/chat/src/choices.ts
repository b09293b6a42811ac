import type { Choice } from './content.ts';
import { element } from './elements.ts';
import type { Words } from './words.ts';

/** What the visitor may answer with one press. */
export interface ChoiceButtons {
  readonly offered: readonly Choice[];
  readonly asksForLocation: boolean;
}

/** What a press does. */
export interface ChoiceActions {
  choose(choice: Choice): void;
  shareLocation(): void;
}

/** More choices than this, or choices with a second line, are shown as a list. */
const maxInRow = 3;

/** Replaces the buttons above the field for writing. */
export function showChoices(group: HTMLElement, { offered, asksForLocation }: ChoiceButtons, actions: ChoiceActions, words: Words): void {
  const button = (act: () => void, ...content: readonly (Node | string | undefined)[]): HTMLButtonElement => {
    const made = element('button', { type: 'button', dir: 'auto' }, ...content);
    made.addEventListener('click', act);
    return made;
  };
  const isList = offered.length > maxInRow || offered.some(({ description }) => description !== undefined);
  group.className = isList ? 'choices list' : 'choices';
  const buttons = offered.map((choice) => {
    const { title, description } = choice;
    return button(() => actions.choose(choice), title, description === undefined ? undefined : element('small', {}, description));
  });
  if (asksForLocation) buttons.push(button(() => actions.shareLocation(), words.shareLocation));
  group.replaceChildren(...buttons);
  group.hidden = buttons.length === 0;
}
