// Counts what providers deliver that is no message of a person to a bot in private, for `/metrics`.
import type { Bot } from '../tenants/companies.ts';

/** What is told of a delivery's part: its bot, and what it is instead of a message, such as `group` or `reaction`. */
interface Notice extends Pick<Bot, 'companyId' | 'id'> {
  readonly what: string;
  readonly count: number;
}

/** Whoever counts listens here; without a listener nothing is counted. */
export interface Notices {
  readonly report: (bot: Pick<Bot, 'companyId' | 'id'>, what: string, count?: number) => void;
  readonly listen: (listener: (notice: Notice) => void) => void;
}

export function createNotices(): Notices {
  const { report, listen } = createTold<Notice>();
  return { report: ({ companyId, id }, what, count = 1) => report({ companyId, id, what, count }), listen };
}

/** What is told to whoever counts. */
export interface Told<Fact> {
  readonly report: (fact: Fact) => void;
  readonly listen: (listener: (fact: Fact) => void) => void;
}

export function createTold<Fact>(): Told<Fact> {
  const listeners: ((fact: Fact) => void)[] = [];
  return {
    report(fact) {
      for (const listener of listeners) listener(fact);
    },
    listen: (listener) => void listeners.push(listener),
  };
}
