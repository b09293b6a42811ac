/** The form in which an answer is kept that people and authors write in many: a constant of another one never equals it. */
import type { WrittenForm } from '@hilo/engine/contract';
import { readDate } from '../fields/reading/date.ts';
import { readPhone } from '../fields/reading/phone.ts';
import { readTime } from '../fields/reading/time.ts';
import type { Input } from './input.ts';

const any = (): boolean => true;
const alone = { locale: undefined, nowMs: undefined, isStrict: true } as const;

/** The form of the answers of a kind; nothing for what is kept as it is written. */
export function answerForm(input: Input | undefined): WrittenForm | undefined {
  switch (input?.kind) {
    case 'date':
      return {
        says: 'a day, kept as 2026-12-01',
        meant: (text) => readDate(text, { ...alone, order: input.order, zone: 'UTC', fits: any }),
      };
    case 'time':
      return { says: 'a time, kept as 09:00', meant: (text) => readTime(text, alone, any) };
    case 'phone':
      return { says: 'a phone number, kept as its digits with the country code', meant: (text) => readPhone(text, [], true) };
    default:
      return undefined;
  }
}
