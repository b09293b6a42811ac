import { startInTurn } from './accept-start.ts';
import { advanceExecution, dropQueued } from './advance-execution.ts';
import { HiloError } from './contract/errors.ts';
import { Channel, type Origin } from './contract/execution.ts';
import { isJsonObject } from './contract/json.ts';
import type { Accepted } from './contract/accepted.ts';
import type { Queued } from './contract/store.ts';
import type { Kernel } from './kernel.ts';
import { tell } from './tell.ts';

type AcceptedMessage = Extract<Accepted, { readonly kind: 'message' }>;

/** Where a user's message goes: to the wait it answers, else to the start it matches, else nowhere. */
export async function routeMessage(kernel: Kernel, queued: Queued, accepted: AcceptedMessage): Promise<void> {
  const { companyId, seq } = queued;
  const { botId, userId, message } = accepted;
  const waiting = await kernel.store.awaitingReply(companyId, botId, userId);
  if (waiting?.state.wait !== undefined) {
    const waitId = waiting.state.wait.id;
    await advanceExecution(kernel, companyId, waiting.executionId, () => ({ type: 'reply.received', waitId, message }), { queued });
    return;
  }
  if (await startMatching(kernel, companyId, accepted, seq)) return;
  await dropQueued(kernel, queued);
  tell(kernel, 'message.unmatched', { companyId, botId, userId, message });
}

/** Starts the published workflow whose `start` takes the message: one by keyword before one by fallback. */
async function startMatching(
  kernel: Kernel,
  companyId: string,
  { botId, userId, message }: AcceptedMessage,
  seq: number,
): Promise<boolean> {
  const bot = await kernel.directory.bot(companyId, botId);
  const channel = Channel.safeParse(isJsonObject(bot) ? bot['channel'] : undefined).data;
  const origin: Origin = { companyId, botId, userId, route: 'production', ...(channel === undefined ? {} : { channel }) };
  let fallback: (() => Promise<unknown>) | undefined;
  for (const { hash, version } of await kernel.canvases.published(companyId)) {
    const canvas = await loadOrSkip(kernel, companyId, hash);
    // A tool has no conversation: it is called, never talked to.
    for (const node of canvas?.canvas.kind === 'skill' ? canvas.starts : []) {
      const { entry } = node.definition;
      const matched = entry?.kind === 'message' ? entry.match(node.config, message) : undefined;
      if (canvas === undefined || matched === undefined) continue;
      const start = () =>
        startInTurn(kernel, {
          origin,
          canvas,
          version,
          entry: node.id,
          keys: [],
          trigger: () => ({ kind: 'message', message }),
          dequeue: [seq],
        });
      if (matched === 'keyword') {
        await start();
        return true;
      }
      fallback ??= start;
    }
  }
  await fallback?.();
  return fallback !== undefined;
}

/** One canvas that no longer compiles must not keep every other from starting (P17). */
async function loadOrSkip(kernel: Kernel, companyId: string, hash: string) {
  try {
    return await kernel.library.load(companyId, hash);
  } catch (error) {
    if (error instanceof HiloError) return undefined;
    throw error;
  }
}
