import { getPath } from '@hilo/engine/contract';
import { type ReplayedExecution, type Rule, webhookAnswer } from './evidence.ts';

/** Of all that resume one wait under `oneTimeOnly`, one wins, and exactly that one is answered so (P7). */
export const oneWinner: Rule = ({ requests, store }) => {
  const executions = new Map(store.executions.map((execution) => [execution.record.executionId, execution]));
  const resumes = requests.flatMap((request) => {
    const accepted = webhookAnswer(request);
    return accepted?.mode === 'resume' && request.command.verb === 'webhook'
      ? [
          {
            executionId: accepted.executionId,
            by: getPath(request.command.call.request.body, ['by']),
            isIgnored: accepted.ignored === true,
          },
        ]
      : [];
  });
  return [...Map.groupBy(resumes, ({ executionId }) => executionId)].flatMap(([executionId, answers]) => {
    const execution = executions.get(executionId);
    const winners = execution === undefined ? [] : winnersOf(execution);
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
const winnersOf = ({ history }: ReplayedExecution): readonly unknown[] =>
  history.flatMap(({ event }) =>
    event.type === 'webhook.received' ? event.writes.map(({ value }) => getPath(value, ['body', 'by'])) : [],
  );
