import type { Rule } from './evidence.ts';

/** An attempt is made once in each process at most, and everything done under one key is the same, byte by byte (P3, P4). */
export const repeatsAlike: Rule = ({ deeds }) => [
  ...[...Map.groupBy(deeds, ({ key, attempt, life }) => `${key}, attempt ${attempt}, process ${life}`)].flatMap(([name, same]) =>
    same.length === 1 ? [] : [`Effect ${name} was performed ${same.length} times`],
  ),
  ...[...Map.groupBy(deeds, ({ key }) => key)].flatMap(([key, same]) =>
    new Set(same.map(({ path, payload }) => `${path} ${payload}`)).size === 1 ? [] : [`Effect ${key} was performed with several payloads`],
  ),
];
