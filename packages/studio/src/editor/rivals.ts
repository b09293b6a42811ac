import type { Problem } from '@hilo/engine/contract';

/** Messages that two published workflows want, as publishing one of them will decide it. */
export interface Takeover {
  /** The keyword, payload or reference; `undefined` for every message that no keyword takes. */
  readonly word: string | undefined;
  /** The other workflows, by id. */
  readonly others: readonly string[];
  /** Whether this workflow will have them: of several the first by id is started. */
  readonly isTaken: boolean;
}

/** What publishing a workflow does to the messages that other workflows have until now, from the problems that the service finds. */
export const takeoversOf = (workflowId: string, problems: readonly Problem[]): readonly Takeover[] =>
  problems.flatMap(({ code, message }) => {
    if (code !== 'SAME_KEYWORD' && code !== 'SAME_FALLBACK') return [];
    const [, list = ''] = / begins workflows? (.*), too: /.exec(message) ?? [];
    const others = [...list.matchAll(/"([^"]+)"/g)].map(([, id = '']) => id);
    const word = code === 'SAME_FALLBACK' ? undefined : /^"(.*?)" begins /.exec(message)?.[1];
    return others.length === 0 ? [] : [{ word, others, isTaken: others.every((id) => workflowId < id) }];
  });
