import { getPath } from '@hilo/engine/contract';
import { type Rule, type Story, webhookAnswer } from './evidence.ts';

/** Of all that resume one wait under `oneTimeOnly`, one wins, and exactly that one is answered so (P7). */
export const oneWinner: Rule = ({ wishes, store }) => {
  const stories = new Map(store.stories.map((story) => [story.record.executionId, story]));
  const resumes = wishes.flatMap((wish) => {
    const accepted = webhookAnswer(wish);
    return accepted?.mode === 'resume' && wish.ask.verb === 'webhook'
      ? [{ executionId: accepted.executionId, by: getPath(wish.ask.call.request.body, ['by']), isIgnored: accepted.ignored === true }]
      : [];
  });
  return [...Map.groupBy(resumes, ({ executionId }) => executionId)].flatMap(([executionId, answers]) => {
    const story = stories.get(executionId);
    const winners = story === undefined ? [] : winnersOf(story);
    const told = answers.flatMap(({ by, isIgnored }) => (isIgnored ? [] : [by]));
    return [
      ...(winners.length === 1 ? [] : [`Execution ${executionId} was resumed by ${winners.length} requests in place of one`]),
      ...(told.length <= 1 ? [] : [`Of execution ${executionId}, ${told.length} were told that they won`]),
      ...told.flatMap((by) =>
        winners.includes(by) ? [] : [`${JSON.stringify(by)} was told that it resumed execution ${executionId}, and did not`],
      ),
    ];
  });
};

/** Who resumed the execution, as its history has it. */
const winnersOf = ({ history }: Story): readonly unknown[] =>
  history.flatMap(({ event }) =>
    event.type === 'webhook.received' ? event.writes.map(({ value }) => getPath(value, ['body', 'by'])) : [],
  );
