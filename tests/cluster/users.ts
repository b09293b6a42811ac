import type { Dice } from './dice.ts';
import type { Scheduler } from './scheduler.ts';

/** Users who answer, now and then, what they are sent. */
export interface Users {
  /** A message reached one of them. */
  hear(userId: string): void;
  /** Users stop answering. */
  fallSilent(): void;
}

export interface UsersOptions {
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  /** How often a user answers, 0 to 1. */
  readonly answering: number;
  readonly says: (userId: string, text: string) => void;
}

/** How often users answer in one run: each answer may lead to more messages than one. */
const maxAnswers = 12;

export function createUsers({ scheduler, dice, answering, says }: UsersOptions): Users {
  let [isSilent, answered] = [false, 0];
  return {
    hear(userId) {
      if (isSilent || answered >= maxAnswers || !dice.chance(answering)) return;
      answered += 1;
      const text = dice.pick(['Yes', 'No', '3', 'order', 'hello']);
      scheduler.add('users', `${userId} answers`, () => says(userId, text), dice.pick([0, 500, 5_000, 60_000]));
    },
    fallSilent() {
      isSilent = true;
    },
  };
}
