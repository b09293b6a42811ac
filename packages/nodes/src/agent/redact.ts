/** What an agent's `redact` finds in texts by its form alone: addresses of e-mail, numbers of accounts, cards and phones. */
import type { AgentConfig } from './config.ts';

export type Redacted = AgentConfig['redact'][number];

/** What may be a part of another comes after it: the digits of a card may look like a phone number. */
export const redactOrder: readonly Redacted[] = ['email', 'iban', 'card', 'phone'];

/** The forms of what `redact` finds, with words for the model. */
export const shapes: {
  readonly [kind in Redacted]: { readonly find: RegExp; readonly words: string; readonly isOne: (text: string) => boolean };
} = {
  email: { find: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, words: 'an e-mail address', isOne: () => true },
  card: { find: /\d(?:[ -]?\d){12,18}/g, words: 'the number of a card', isOne: (text) => isLuhn(text.replace(/\D/g, '')) },
  iban: {
    find: /[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?/g,
    words: 'the number of a bank account',
    isOne: () => true,
  },
  phone: { find: /\+?\(?\d(?:[\s().-]{0,3}\d){6,14}/g, words: 'a phone number', isOne: () => true },
};

function isLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}
