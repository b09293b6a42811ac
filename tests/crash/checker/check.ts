// Checks what is left after a crash against every rule.
import { accountsForAll } from './accounts-for-all.ts';
import type { Evidence, Rule } from './evidence.ts';
import { familiesAgree } from './families-agree.ts';
import { firesOnce } from './fires-once.ts';
import { intendsFirst, repeatsAlike } from './intends-first.ts';
import { keepsAccepted, keepsSecrets } from './keeps-accepted.ts';
import { keepsOrder } from './keeps-order.ts';
import { oneWinner } from './one-winner.ts';
import { replaysAlike } from './replays-alike.ts';

/** Every rule, by name. */
export const rules = {
  keepsAccepted,
  repeatsAlike,
  intendsFirst,
  oneWinner,
  keepsOrder,
  firesOnce,
  replaysAlike,
  accountsForAll,
  familiesAgree,
  keepsSecrets,
} as const satisfies { readonly [name: string]: Rule };

/** Further findings of one kind are left out. */
const maxListed = 5;

/** @returns what breaks a promise, each with the name of its rule */
export const check = (evidence: Evidence): readonly string[] =>
  Object.entries(rules).flatMap(([name, rule]) => {
    const found = rule(evidence);
    const rest = found.length - maxListed;
    return [...found.slice(0, maxListed), ...(rest > 0 ? [`… and ${rest} more`] : [])].map((finding) => `${name}: ${finding}`);
  });
