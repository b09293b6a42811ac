// Why executions of a conversation failed: a transcript has the cause alone.
import type { Conversation } from '@hilo/simulator';
import { type Paint, printable } from '../paint.ts';

/** A line for each execution that failed, but for those that an end node lets fail. */
export async function describeFailures(conversation: Conversation, paint: Paint): Promise<readonly string[]> {
  return (await conversation.executions()).flatMap(({ workflowId, state: { status, ending } }) => {
    const failure = ending?.failure;
    if (status !== 'failed' || failure === undefined || failure.cause === 'ENDED_AS_FAILED') return [];
    const at = failure.nodeId === undefined ? '' : ` at "${printable(failure.nodeId)}"`;
    return [`${paint('red', '✖')} ${printable(workflowId)} failed${at}: ${failure.cause}  ${paint('dim', printable(failure.message))}`];
  });
}
