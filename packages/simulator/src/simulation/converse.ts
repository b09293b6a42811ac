// Makes conversations over a world.
import { isHiloError, type JsonObject } from '@hilo/engine/contract';
import { httpRequest } from '@hilo/nodes/effects';
import { readDuration } from '../script/line-text.ts';
import { type ScriptInput, userMessage, type WebhookInput } from '../script/script-input.ts';
import { requireInput } from '../script/require-input.ts';
import { writeInput } from '../script/write-input.ts';
import { call, createAct, listExecutions } from './act.ts';
import type { Conversation } from './conversation.ts';
import type { RecordedCall } from './recorded-call.ts';
import { settle } from './settling.ts';
import { simulatedIds, type World } from './world.ts';

const { companyId } = simulatedIds;

/** Makes the verbs of a conversation, each a function: they share its clock, and what of it was told already. */
export function converse(world: World): Conversation {
  const { clock, store, drivers, names, transcript } = world;
  const settles = () => settle(world);
  const executions = () => listExecutions(world);
  const execution = async () => (await executions()).findLast(({ parent }) => parent === undefined);
  const loadRecord = (executionId: string | undefined) => (executionId === undefined ? execution() : store.load(companyId, executionId));

  const act = createAct(world, settles);

  /** Calls for which the transcript has asked for an answer. */
  const askedFor = new Set<RecordedCall>();
  /** What pending calls need, unless the next input answers them. */
  const unanswered = (next?: ScriptInput): readonly { readonly call: RecordedCall; readonly line: string }[] =>
    drivers.pending().flatMap((call) => {
      const example = drivers.exampleFor(call);
      // A script may continue while a call is open on purpose: the hint is printed only where the script ends.
      if (next !== undefined && call.effect === httpRequest.type) return [];
      const isNext = next?.kind === 'answers' && next.effect === call.effect;
      return example === undefined || isNext || askedFor.has(call) ? [] : [{ call, line: `answer this: ${example}` }];
    });

  const begin = (input: ScriptInput, line = names.named(writeInput(input))): { readonly input: ScriptInput; readonly undo: () => void } => {
    for (const { call, line: need } of unanswered(input)) {
      transcript.need(need);
      askedFor.add(call);
    }
    const undo = transcript.line(line);
    return { input: names.resolved(input as unknown as JsonObject) as unknown as ScriptInput, undo };
  };
  /** An input that fails leaves no line, so that the transcript can still be replayed. */
  const plays = async (given: ScriptInput, line?: string): Promise<void> => {
    requireInput(given);
    const { input, undo } = begin(given, line);
    try {
      await act(input);
    } catch (error) {
      if (isHiloError(error, 'INVALID_SCRIPT')) undo();
      throw error;
    }
    await settles();
  };

  return {
    says: (said) => plays({ kind: 'says', message: userMessage(said) }),
    repeats: () => plays({ kind: 'repeats' }),
    async webhook(request = {}) {
      const { input } = begin({ kind: 'webhook', call: forUser(world, request) });
      return input.kind === 'webhook' ? call(world, input.call, settles) : 'pending';
    },
    passes: async (duration) => plays({ kind: 'passes', durationMs: readDurationMs(duration) }),
    apiAnswers: (answer) => plays({ kind: 'apiAnswers', answer }),
    answers: (effect, answer) => plays({ kind: 'answers', effect, answer }),
    operator: (does, text = '') => plays({ kind: 'operator', act: does === 'says' ? { does, text } : { does } }),
    signals: (name, correlation = '', payload = null) => plays({ kind: 'signals', name, correlation, payload }),
    cancels: (executionId) => plays({ kind: 'cancels', ...(executionId !== undefined && { executionId }) }),
    restarts: () => plays({ kind: 'restarts' }),
    plays,
    notes: (line) => void transcript.line(line),
    settles,
    transcript: () => transcript.text(unanswered().map(({ line }) => line)),
    sent: drivers.sent,
    calls: drivers.calls,
    pending: drivers.pending,
    exampleFor: drivers.exampleFor,
    nextDueMs: () => findNextDue(world),
    faults: world.faults,
    executions,
    execution,
    variables: async (executionId) => (await loadRecord(executionId))?.state.variables ?? {},
    async history(executionId) {
      const record = await loadRecord(executionId);
      return record === undefined ? [] : store.history(companyId, record.executionId);
    },
    get engine() {
      return world.engine;
    },
    clock,
  };
}

async function findNextDue(world: World): Promise<number | undefined> {
  // The clock also has timers of ended waits: it is read only while an effect is pending.
  const isAtWork = (await listExecutions(world)).some(({ state }) => state.pending !== undefined);
  const times = [await world.engine.nextDueMs(), isAtWork ? world.clock.nextMs() : undefined, world.desk.dueMs()];
  const known = times.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function readDurationMs(duration: string | number): number {
  const durationMs = typeof duration === 'number' ? duration : readDuration(duration);
  if (durationMs === undefined) throw new RangeError(`"${duration}" is not a time that passes: give 10s, 5m, 2h, 3d, PT2H or milliseconds`);
  return durationMs;
}

/** The call with the id of the simulated user, where it would begin an execution and has no user id (WEB-12). */
function forUser({ canvasOf, mainId, channel, user }: World, call: WebhookInput): WebhookInput {
  const { method = 'POST', body = null, query = {}, headers = {}, workflowId = mainId } = call;
  const canvas = canvasOf(workflowId);
  const { entry } = canvas?.webhook?.definition ?? {};
  if (canvas === undefined || entry?.kind !== 'webhook' || canvas.canvas.kind === 'tool') return call;
  try {
    const { executionId, userId } = entry.admit(canvas.webhook?.config, { method, body, query, headers });
    if (executionId !== undefined || userId(channel, 'strict') !== undefined) return call;
  } catch {
    return call; // a request that is refused stays as it is
  }
  return { ...call, query: { ...query, userId: user.id } };
}
