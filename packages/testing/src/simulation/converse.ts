import type { WebhookAccepted } from '@hilo/engine';
import { type ExecutionRecord, HiloError, type Json, type JsonObject, type WaitKind } from '@hilo/engine/contract';
import { type ScriptInput, userMessage, type WebhookInput } from '../script/script-input.ts';
import { readDuration } from '../script/short-duration.ts';
import { writeInput } from '../script/write-input.ts';
import type { Conversation } from './conversation.ts';
import { settle } from './settling.ts';
import { unmatched } from './transcript.ts';
import { simulatedIds, type World } from './world.ts';

const { companyId, botId } = simulatedIds;

const isSignalKind = (kind: WaitKind | undefined): kind is 'event' | 'handoff' | 'payment' =>
  kind === 'event' || kind === 'handoff' || kind === 'payment';

/** How many steps time may take without moving: more is a timer that is set for the same instant again and again. */
const mostStepsAtOnce = 10_000;

/** Makes the verbs of a conversation. */
export function converse(world: World): Conversation {
  const { clock, store, drivers, names, transcript } = world;
  const settles = () => settle(world);
  const executions = async (): Promise<readonly ExecutionRecord[]> =>
    (await Promise.all(names.ids.map((id) => store.load(companyId, id)))).filter((record) => record !== undefined);
  const execution = async () => (await executions()).findLast(({ parent }) => parent === undefined);
  const recordOf = (executionId: string | undefined) => (executionId === undefined ? execution() : store.load(companyId, executionId));

  const deliver = deliverTo(world);

  const passes = async (durationMs: number): Promise<void> => {
    const untilMs = clock.now() + durationMs;
    let steps = 0;
    for (let nextMs = clock.nextMs(); nextMs !== undefined && nextMs <= untilMs; nextMs = clock.nextMs()) {
      steps = nextMs > clock.now() ? 0 : steps + 1;
      if (steps > mostStepsAtOnce) throw new Error('Time stands still: a timer is set for the same instant again and again');
      clock.advanceTo(nextMs);
      await settles();
    }
    clock.advanceTo(untilMs);
  };

  const cancel = async (executionId: string | undefined): Promise<void> => {
    const youngest = (await executions()).findLast(({ parent, state }) => parent === undefined && state.ending === undefined);
    const record = executionId === undefined ? youngest : await store.load(companyId, executionId);
    if (record === undefined) transcript.output(unmatched);
    else await world.engine.cancel(companyId, record.executionId);
  };

  const signal = async (name: string, correlation: string, payload: Json): Promise<void> => {
    const waiting = await store.awaitingSignal(companyId, name, correlation);
    if (waiting.length === 0) transcript.output(unmatched);
    // A script ends hand-offs and payments by their signals, too: whatever waits under this name is answered.
    const kinds = new Set(waiting.flatMap(({ state: { wait } }) => (isSignalKind(wait?.kind) ? [wait.kind] : [])));
    // Not awaited: it resolves only when the lanes of those who wait are free.
    for (const kind of kinds) void world.engine.signal({ companyId, kind, name, correlation, payload });
  };

  const act = async (input: ScriptInput): Promise<void> => {
    switch (input.kind) {
      case 'says':
        return deliver.new(input.message);
      case 'repeats':
        return deliver.again();
      case 'webhook':
        return void (await call(world, input.call, settles));
      case 'passes':
        return passes(input.durationMs);
      case 'apiAnswers':
        return drivers.answer(input.answer);
      case 'signals':
        return signal(input.name, input.correlation, input.payload);
      case 'cancels':
        return cancel(input.executionId);
      case 'restarts':
        return world.restart();
    }
  };

  const begin = (input: ScriptInput, line = names.named(writeInput(input))): ScriptInput => {
    transcript.line(line);
    return names.resolved(input as unknown as JsonObject) as unknown as ScriptInput;
  };
  const plays = async (input: ScriptInput, line?: string): Promise<void> => {
    await act(begin(input, line));
    await settles();
  };

  return {
    says: (said) => plays({ kind: 'says', message: userMessage(said) }),
    repeats: () => plays({ kind: 'repeats' }),
    async webhook(request = {}) {
      const input = begin({ kind: 'webhook', call: request });
      return input.kind === 'webhook' ? call(world, input.call, settles) : 'pending';
    },
    passes: async (duration) => plays({ kind: 'passes', durationMs: durationMsOf(duration) }),
    apiAnswers: (answer) => plays({ kind: 'apiAnswers', answer }),
    signals: (name, correlation = '', payload = null) => plays({ kind: 'signals', name, correlation, payload }),
    cancels: (executionId) => plays({ kind: 'cancels', ...(executionId !== undefined && { executionId }) }),
    restarts: () => plays({ kind: 'restarts' }),
    plays,
    notes: transcript.line,
    settles,
    transcript: transcript.text,
    sent: drivers.sent,
    calls: drivers.calls,
    pending: drivers.pending,
    faults: world.faults,
    executions,
    execution,
    variables: async (executionId) => (await recordOf(executionId))?.state.variables ?? {},
    async history(executionId) {
      const record = await recordOf(executionId);
      return record === undefined ? [] : store.history(companyId, record.executionId);
    },
    get engine() {
      return world.engine;
    },
    clock,
  };
}

function durationMsOf(duration: string | number): number {
  const durationMs = typeof duration === 'number' ? duration : readDuration(duration);
  if (durationMs === undefined) throw new RangeError(`"${duration}" is not a time that passes: give 10s, 5m, 2h, 3d, PT2H or milliseconds`);
  return durationMs;
}

/** Brings the user's messages to the engine, as a channel does. */
function deliverTo(world: World) {
  const { id, names, phone, bsuid } = world.user;
  const user = { id, ...(names !== undefined && { names }), ...(phone !== undefined && { phone }), ...(bsuid !== undefined && { bsuid }) };
  const before = world.conversations === 0 ? '' : `${world.conversations + 1}-`; // ids of another conversation are its own
  let count = 0;
  let last: JsonObject | undefined;
  const again = async (): Promise<void> => {
    if (last !== undefined)
      await world.engine.receiveMessage({ companyId, botId, eventId: `event-${before}${count}`, user, message: last });
  };
  return {
    again,
    new(message: JsonObject): Promise<void> {
      count += 1;
      last = { id: `user-message-${before}${count}`, ...message };
      return again();
    },
  };
}

/** Calls a webhook. The call may stand behind something that has not ended: then its answer is told when it comes. */
async function call(
  { engine, transcript, webhookOf, mainId, channel }: World,
  { method = 'POST', body = null, query = {}, headers = {}, workflowId = mainId, nodeId, idempotencyKey }: WebhookInput,
  settles: () => Promise<void>,
): Promise<WebhookAccepted | HiloError | 'pending'> {
  let tell = transcript.reserve(); // the answer stands before all that comes of the call
  let answer: WebhookAccepted | HiloError | 'pending' = 'pending';
  let failure: { readonly error: unknown } | undefined;
  const request = { method, body, query, headers };
  const target = { companyId, botId, workflowId, nodeId: nodeId ?? webhookOf(workflowId), route: 'production', channel } as const;
  engine.receiveWebhook({ ...target, request, ...(idempotencyKey !== undefined && { idempotencyKey }) }).then(
    (accepted) => {
      answer = accepted;
      tell(`webhook answered: ${accepted.ignored === true ? 'ignored' : accepted.mode}`);
    },
    (error: unknown) => {
      if (!(error instanceof HiloError)) {
        failure = { error };
        return;
      }
      answer = error;
      tell(`webhook answered: error ${error.code}`);
    },
  );
  await settles();
  if (failure !== undefined) throw failure.error;
  tell = transcript.output;
  return answer;
}
