import type { Oracle } from '../evidence.ts';

/** Of all resumes of a `oneTimeOnly` wait one wins, and each that was accepted went through in its turn (P7). */
export const oneWinner: Oracle = ({ histories, answers }) => {
  const problems: string[] = [];
  for (const [executionId, history] of histories) {
    const resumes = history.flatMap(({ event }) => (event.type === 'webhook.received' ? [event] : []));
    const winners = Map.groupBy(
      resumes.filter(({ once }) => once),
      ({ via }) => via,
    );
    for (const [via, all] of winners)
      if (all.length > 1) problems.push(`execution ${executionId} was resumed ${all.length} times at ${via}`);
    const accepted = answers.filter(
      (answer) => answer.verb === 'resume' && answer.executionId === executionId && answer.refusal === undefined,
    );
    const claims = accepted.filter(({ isIgnored }) => isIgnored !== true).length;
    if (claims > resumes.length)
      problems.push(`${claims} resumes of execution ${executionId} were told that they won, and ${resumes.length} did`);
    if (accepted.length > claims && winners.size === 0) problems.push(`a resume of execution ${executionId} was ignored, and none had won`);
  }
  return problems;
};
