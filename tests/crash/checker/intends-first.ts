import { idempotencyKey } from '@hilo/engine/debug';
import { shredded } from '../load/canvases.ts';
import type { ReplayedExecution, Rule } from './evidence.ts';

/** Every effect was recorded as intended before it was performed, and every effect recorded as performed was (P3, P4). */
export const intendsFirst: Rule = ({ received, store }) => {
  const intended = new Map(
    store.executions.flatMap(({ record: { companyId }, states }) =>
      states.flatMap(({ pending }) => (pending === undefined ? [] : [[idempotencyKey(companyId, pending.key), pending] as const])),
    ),
  );
  const done = new Set(received.map(({ key }) => key));
  return [
    ...received.flatMap(({ key, path, payload }) => {
      const intent = intended.get(key);
      if (intent === undefined) return path === `/${shredded}` ? [] : [`Effect ${key} was performed without an intent`];
      return JSON.stringify(intent.request) === payload ? [] : [`Effect ${key} was performed otherwise than intended`];
    }),
    ...store.executions
      .flatMap(answeredKeys)
      .flatMap((key) => (done.has(key) ? [] : [`Effect ${key} has an answer and was never performed`])),
  ];
};

const answeredKeys = ({ history }: ReplayedExecution): readonly string[] =>
  history.flatMap(({ companyId, event }) =>
    event.type === 'effect.settled' && event.settled.kind === 'result' ? [idempotencyKey(companyId, event.key)] : [],
  );

/** An attempt is made once in each process at most, and everything done under one key is the same, byte by byte (P3, P4). */
export const repeatsAlike: Rule = ({ received }) => [
  ...[...Map.groupBy(received, ({ key, attempt, processNumber }) => `${key}, attempt ${attempt}, process ${processNumber}`)].flatMap(
    ([name, same]) => (same.length === 1 ? [] : [`Effect ${name} was performed ${same.length} times`]),
  ),
  ...[...Map.groupBy(received, ({ key }) => key)].flatMap(([key, same]) =>
    new Set(same.map(({ path, payload }) => `${path} ${payload}`)).size === 1 ? [] : [`Effect ${key} was performed with several payloads`],
  ),
];
