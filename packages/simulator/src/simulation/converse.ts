// Makes conversations over a world.
import type { WebhookAccepted } from '@hilo/engine';
import {
  type ExecutionRecord,
  type ResumeClaim,
  isJsonObject,
  type Json,
  type JsonObject,
  type WaitKind,
  HiloError,
  isHiloError,
} from '@hilo/engine/contract';
import { httpRequest } from '@hilo/nodes/effects';
import { readDuration, textToLine } from '../script/line-text.ts';
import {
  type CallbackInput,
  type ScriptInput,
  sentMessageId,
  sentMessageNumber,
  userMessage,
  type UserPlace,
  type WebhookInput,
} from '../script/script-input.ts';
import { writeInput } from '../script/write-input.ts';
import { createClockStarts } from './clock-starts.ts';
import { type Conversation, whyUnmatched } from './conversation.ts';
import { nameFile } from './name-file.ts';
import type { RecordedCall } from './recorded-call.ts';
import { settle } from './settling.ts';
import { handoffEnds, type OperatorAct } from './desk.ts';
import { unmatchedLine } from './transcript.ts';
import { simulatedIds, type SimulatedUser, type World } from './world.ts';

const { companyId, botId } = simulatedIds;

const isSignalKind = (kind: WaitKind | undefined): kind is 'event' | 'handoff' | 'payment' =>
  kind === 'event' || kind === 'handoff' || kind === 'payment';

/** Most steps at one instant: more means a timer that is set for the same instant again and again. */
const maxStepsAtOnce = 10_000;

/** Makes the verbs of a conversation, each a function: they share its clock, and what of it was told already. */
export function converse(world: World): Conversation {
  const { clock, store, drivers, names, transcript } = world;
  const settles = () => settle(world);
  const executions = async (): Promise<readonly ExecutionRecord[]> =>
    (await Promise.all(names.ids.map(async (id) => store.load(companyId, id)))).filter((record) => record !== undefined);
  const execution = async () => (await executions()).findLast(({ parent }) => parent === undefined);
  const loadRecord = (executionId: string | undefined) => (executionId === undefined ? execution() : store.load(companyId, executionId));

  const deliver = deliverTo(world);
  const clockStarts = createClockStarts(world);

  /** Reports an input without effect. */
  const reportUnmatched = (reason: string, line = unmatchedLine()): void => {
    transcript.output(line);
    world.observer.unmatched?.(reason);
  };

  const operate = (act: OperatorAct): void => {
    if (!world.desk.act(act)) reportUnmatched('no operator talks with the user', unmatchedLine('no operator talks with the user'));
    else if (act.does === 'says') drivers.deliver({ type: 'text', text: act.text });
  };

  const passes = async (durationMs: number): Promise<void> => {
    const untilMs = clock.now() + durationMs;
    let steps = 0;
    clockStarts.begin();
    const findNext = async (): Promise<number> => {
      const dueMs = world.clockRules.length === 0 ? undefined : await clockStarts.nextMs();
      return Math.min(clock.nextMs() ?? Number.POSITIVE_INFINITY, dueMs ?? Number.POSITIVE_INFINITY);
    };
    for (let nextMs = await findNext(); nextMs <= untilMs; nextMs = await findNext()) {
      steps = nextMs > clock.now() ? 0 : steps + 1;
      if (steps > maxStepsAtOnce) throw new Error('Time stands still: a timer is set for the same instant again and again');
      clock.advanceTo(nextMs);
      await settles();
      await clockStarts.fire();
      await settles();
    }
    clock.advanceTo(untilMs);
  };

  const cancel = async (executionId: string | undefined): Promise<void> => {
    const youngest = (await executions()).findLast(({ parent, state }) => parent === undefined && state.ending === undefined);
    const record = executionId === undefined ? youngest : await store.load(companyId, executionId);
    if (record === undefined) reportUnmatched('no execution is under way');
    else await world.engine.cancel(companyId, record.executionId);
  };

  const signal = async (name: string, correlation: string, payload: Json): Promise<void> => {
    const waiting = await store.awaitingSignal(companyId, name, correlation);
    if (waiting.length === 0) {
      const why = await whyUnmatched({ kind: 'signal', name, correlation }, { store, ids: names.ids });
      reportUnmatched(why.reason, why.line);
    }
    // A script also ends hand-offs and payments by their signals: any wait with this name is answered.
    const kinds = new Set(waiting.flatMap(({ state: { wait } }) => (isSignalKind(wait?.kind) ? [wait.kind] : [])));
    if (kinds.has('handoff')) {
      if (!isHandoffEnd(payload))
        throw new HiloError('INVALID_SCRIPT', {
          reason: `A hand-off ends as ${handoffEnds.join(', ')}: {"state":"closed"} is such a payload, and ${JSON.stringify(payload)} is none; operator: closes and operator: expires end it as well`,
        });
      world.desk.endBySignal(correlation);
    }
    // Not awaited: it resolves only when the lanes of the waiting executions are free.
    for (const kind of kinds) void world.engine.signal({ companyId, kind, name, correlation, payload });
  };

  const callBack = async (nodeId: string | undefined, request: CallbackInput): Promise<void> => {
    const claim = world.addresses.last(nodeId);
    if (claim === undefined) {
      const whose = nodeId === undefined ? '' : ` of node "${nodeId}"`;
      const reason = `no text has given the address${whose} yet: write {{resumeUrl("NODE")}} in it`;
      return reportUnmatched(reason, unmatchedLine(reason));
    }
    await callAddress(world, claim, request, settles);
  };

  const act = async (input: ScriptInput): Promise<void> => {
    switch (input.kind) {
      case 'says':
        requireSent(input.message['replyTo'], drivers.sent.length);
        return deliver.new(nameForm(input.message, drivers.sent));
      case 'repeats':
        return deliver.again();
      case 'places':
        return placeUser(world, input.place);
      case 'campaign':
        return world.campaigns.reach(input.id);
      case 'webhook':
        return void (await call(world, input.call, settles));
      case 'calls':
        return callBack(input.nodeId, input.request);
      case 'passes':
        return passes(input.durationMs);
      case 'apiAnswers':
        return drivers.answer(input.answer);
      case 'answers':
        if (drivers.answerCall(input.effect, input.answer) === 'kept') transcript.output('kept for the next call');
        return;
      case 'operator':
        return operate(input.act);
      case 'refuses': {
        const { nodeId, cause, message = 'The simulated call was told to be refused' } = input;
        return drivers.refuse({ nodeId, result: { kind: 'refused', cause, message } });
      }
      case 'closesWindow':
        return drivers.refuse({ nodeId: input.nodeId, result: { kind: 'windowClosed' } });
      case 'starts':
        return start(world, input);
      case 'signals':
        return signal(input.name, input.correlation, input.payload);
      case 'cancels':
        return cancel(input.executionId);
      case 'restarts':
        return world.restart();
    }
  };

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
    async nextDueMs() {
      // The clock also has timers of ended waits: it is read only while an effect is pending.
      const isAtWork = (await executions()).some(({ state }) => state.pending !== undefined);
      const times = [await world.engine.nextDueMs(), isAtWork ? clock.nextMs() : undefined, world.desk.dueMs()];
      const known = times.filter((ms) => ms !== undefined);
      return known.length === 0 ? undefined : Math.min(...known);
    },
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

/**
 * Begins a workflow as a call does, for the user of the conversation.
 *
 * @throws {HiloError} `INVALID_SCRIPT` for inputs that do not fit, and for a workflow that is not there
 */
async function start(
  { engine, canvasOf, mainId, channel, user }: World,
  { workflowId = mainId, inputs }: Extract<ScriptInput, { readonly kind: 'starts' }>,
): Promise<void> {
  const whose = canvasOf(workflowId)?.canvas.kind === 'tool' ? {} : { botId, userId: user.id };
  try {
    await engine.startWorkflow({ origin: { companyId, route: 'production', channel, ...whose }, workflowId, inputs });
  } catch (error) {
    throw error instanceof HiloError ? new HiloError('INVALID_SCRIPT', { reason: error.message }, { cause: error }) : error;
  }
}

/** @throws {HiloError} `INVALID_SCRIPT` for a reply to a message that the user has not got */
function requireSent(replyTo: Json | undefined, sent: number): void {
  const number = sentMessageNumber(replyTo);
  if (number === undefined || number <= sent) return;
  const got = sent === 0 ? 'the user has got none' : `the user has got ${sent}`;
  throw new HiloError('INVALID_SCRIPT', { reason: `There is no message ${number} to reply to: ${got}` });
}

/** A form that comes back without a token is the one that was offered last. */
function nameForm(message: JsonObject, sent: readonly Json[]): JsonObject {
  const { response } = message;
  const last = sent.findLastIndex((one) => isJsonObject(one) && one['type'] === 'flow');
  const isNamed = message['type'] !== 'flow' || !isJsonObject(response) || 'flow_token' in response;
  return isNamed || last < 0 ? message : { ...message, response: { ...response, flow_token: sentMessageId(last + 1) } };
}

function readDurationMs(duration: string | number): number {
  const durationMs = typeof duration === 'number' ? duration : readDuration(duration);
  if (durationMs === undefined) throw new RangeError(`"${duration}" is not a time that passes: give 10s, 5m, 2h, 3d, PT2H or milliseconds`);
  return durationMs;
}

const isHandoffEnd = (payload: Json): boolean => isJsonObject(payload) && handoffEnds.some((state) => state === payload['state']);

/** The text of a user's message, on one line. */
const readText = ({ type, text }: JsonObject): string =>
  textToLine(typeof text === 'string' && text !== '' ? text : `[${typeof type === 'string' ? type : 'message'}]`);

/** Stores the user's place as a contact record does: it applies from the next event on. */
export async function placeUser({ store, user }: Pick<World, 'store' | 'user'>, place: UserPlace): Promise<void> {
  await store.commit({ saves: [], history: [], contacts: [{ companyId, botId, userId: user.id, ...place }], enqueue: [], dequeue: [] });
}

/** The operator hears a message of the user. */
export function tellOperator({ desk, transcript, observer }: Pick<World, 'desk' | 'transcript' | 'observer'>, message: JsonObject): void {
  desk.hear(message['id']);
  const text = readText(message);
  transcript.output(`operator hears: ${text}`);
  observer.heard?.(text);
}

/** Stores a user who has not written yet as a contact. */
export async function introduceUser({ store, user }: Pick<World, 'store' | 'user'>): Promise<void> {
  const { id: userId, ...identity } = identityOf(user);
  await store.commit({ saves: [], history: [], contacts: [{ companyId, botId, userId, ...identity }], enqueue: [], dequeue: [] });
}

const identityOf = ({ id, names, phone, bsuid }: SimulatedUser) => ({
  id,
  ...(names !== undefined && { names }),
  ...(phone !== undefined && { phone }),
  ...(bsuid !== undefined && { bsuid }),
});

/** Brings the user's messages to the engine, as a channel does. */
function deliverTo(world: World) {
  const user = identityOf(world.user);
  let count = 0;
  let last: JsonObject | undefined;
  const again = async (): Promise<void> => {
    if (last !== undefined && world.desk.isOpen()) tellOperator(world, last);
    if (last !== undefined) await world.engine.receiveMessage({ companyId, botId, eventId: `event-${count}`, user, message: last });
  };
  return {
    again,
    new(message: JsonObject): Promise<void> {
      count += 1;
      last = nameFile({ id: `user-message-${count}`, ...message }, count);
      return again();
    },
  };
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

/** Calls a webhook. The call may wait behind earlier work: then its answer is written when it comes. */
async function call(
  { engine, transcript, canvasOf, mainId, channel }: World,
  { method = 'POST', body = null, query = {}, headers = {}, workflowId = mainId, nodeId, idempotencyKey }: WebhookInput,
  settles: () => Promise<void>,
): Promise<WebhookAccepted | HiloError | 'pending'> {
  let write = transcript.reserve(); // the answer precedes all results of the call
  let answer: WebhookAccepted | HiloError | 'pending' = 'pending';
  let failure: { readonly error: unknown } | undefined;
  const request = { method, body, query, headers };
  const target = {
    companyId,
    botId,
    workflowId,
    nodeId: nodeId ?? canvasOf(workflowId)?.webhook?.id ?? '',
    route: 'production',
    channel,
  } as const;
  engine.receiveWebhook({ ...target, request, ...(idempotencyKey !== undefined && { idempotencyKey }) }).then(
    (accepted) => {
      answer = accepted;
      write(`webhook answered: ${accepted.ignored === true ? 'ignored' : accepted.mode}`);
    },
    (error: unknown) => {
      if (!(error instanceof HiloError)) {
        failure = { error };
        return;
      }
      answer = error;
      write(`webhook answered: error ${error.code}`);
    },
  );
  await settles();
  if (failure !== undefined) throw failure.error;
  write = transcript.output;
  return answer;
}

/** Calls the address of a callback, as a third party does. The answer is written when it comes. */
async function callAddress(
  { engine, transcript }: World,
  claim: ResumeClaim,
  { method = 'POST', body = null, query = {}, headers = {}, idempotencyKey }: CallbackInput,
  settles: () => Promise<void>,
): Promise<void> {
  const write = transcript.reserve();
  if (method === 'GET' && (await engine.findCallback(claim))?.confirm === true)
    return write('callback answered: a page that asks for a confirmation');
  let failure: { readonly error: unknown } | undefined;
  const request = { method, body, query, headers };
  engine.receiveCallback({ claim, request, ...(idempotencyKey !== undefined && { idempotencyKey }) }).then(
    () => write('callback answered: resume'),
    (error: unknown) => {
      if (!(error instanceof HiloError)) failure = { error };
      else write(`callback answered: ${isOver(error) ? '404' : `error ${error.code}`}`);
    },
  );
  await settles();
  if (failure !== undefined) throw failure.error;
}

/** Whether an address is of no use any more: the service answers 404, whatever the reason is. */
const isOver = (error: unknown): boolean => isHiloError(error, 'EXECUTION_NOT_FOUND') || isHiloError(error, 'EXECUTION_NOT_WAITING');
