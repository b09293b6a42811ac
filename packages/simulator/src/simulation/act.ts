// Performs one input of a script upon a world: what a user, a third party, an operator or the time does.
import type { WebhookAccepted } from '@hilo/engine';
import {
  type ExecutionRecord,
  HiloError,
  isHiloError,
  isJsonObject,
  type Json,
  type JsonObject,
  type ResumeClaim,
  type WaitKind,
} from '@hilo/engine/contract';
import { textToLine } from '../script/line-text.ts';
import {
  type CallbackInput,
  type ScriptInput,
  sentMessageId,
  sentMessageNumber,
  type UserPlace,
  type WebhookInput,
} from '../script/script-input.ts';
import { createClockStarts } from './clock-starts.ts';
import { whyUnmatched } from './conversation.ts';
import { handoffEnds, type OperatorAct } from './desk.ts';
import { nameFile } from './name-file.ts';
import { unmatchedLine } from './transcript.ts';
import { simulatedIds, type SimulatedUser, type World } from './world.ts';

const { companyId, botId } = simulatedIds;

const isSignalKind = (kind: WaitKind | undefined): kind is 'event' | 'handoff' | 'payment' =>
  kind === 'event' || kind === 'handoff' || kind === 'payment';

/** Most steps at one instant: more means a timer that is set for the same instant again and again. */
const maxStepsAtOnce = 10_000;

/** Makes what performs inputs. They share the user's messages, and the rules of the clock that have begun. */
export function createAct(world: World, settles: () => Promise<void>): (input: ScriptInput) => Promise<void> {
  const { drivers, transcript } = world;
  const deliver = deliverTo(world);
  const clockStarts = createClockStarts(world);

  const passes = async (durationMs: number): Promise<void> => {
    const untilMs = world.clock.now() + durationMs;
    let steps = 0;
    clockStarts.begin();
    const findNext = async (): Promise<number> => {
      const dueMs = world.clockRules.length === 0 ? undefined : await clockStarts.nextMs();
      return Math.min(world.clock.nextMs() ?? Number.POSITIVE_INFINITY, dueMs ?? Number.POSITIVE_INFINITY);
    };
    for (let nextMs = await findNext(); nextMs <= untilMs; nextMs = await findNext()) {
      steps = nextMs > world.clock.now() ? 0 : steps + 1;
      if (steps > maxStepsAtOnce) throw new Error('Time stands still: a timer is set for the same instant again and again');
      world.clock.advanceTo(nextMs);
      await settles();
      await clockStarts.fire();
      await settles();
    }
    world.clock.advanceTo(untilMs);
  };

  return async (input) => {
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
        return callBack(world, settles, input.nodeId, input.request);
      case 'passes':
        return passes(input.durationMs);
      case 'apiAnswers':
        return drivers.answer(input.answer);
      case 'answers':
        if (drivers.answerCall(input.effect, input.answer) === 'kept') transcript.output('kept for the next call');
        return;
      case 'operator':
        return operate(world, input.act);
      case 'refuses': {
        const { nodeId, cause, message = 'The simulated call was told to be refused' } = input;
        return drivers.refuse({ nodeId, result: { kind: 'refused', cause, message } });
      }
      case 'closesWindow':
        return drivers.refuse({ nodeId: input.nodeId, result: { kind: 'windowClosed' } });
      case 'starts':
        return start(world, input);
      case 'signals':
        return signal(world, input.name, input.correlation, input.payload);
      case 'cancels':
        return cancel(world, input.executionId);
      case 'restarts':
        return world.restart();
    }
  };
}

/** Reports an input without effect. */
function reportUnmatched({ transcript, observer }: World, reason: string, line = unmatchedLine()): void {
  transcript.output(line);
  observer.unmatched?.(reason);
}

function operate(world: World, act: OperatorAct): void {
  if (!world.desk.act(act)) reportUnmatched(world, 'no operator talks with the user', unmatchedLine('no operator talks with the user'));
  else if (act.does === 'says') world.drivers.deliver({ type: 'text', text: act.text });
}

async function cancel(world: World, executionId: string | undefined): Promise<void> {
  const { store } = world;
  const youngest = (await listExecutions(world)).findLast(({ parent, state }) => parent === undefined && state.ending === undefined);
  const record = executionId === undefined ? youngest : await store.load(companyId, executionId);
  if (record === undefined) reportUnmatched(world, 'no execution is under way');
  else await world.engine.cancel(companyId, record.executionId);
}

async function signal(world: World, name: string, correlation: string, payload: Json): Promise<void> {
  const { store, names } = world;
  const waiting = await store.awaitingSignal(companyId, name, correlation);
  if (waiting.length === 0) {
    const why = await whyUnmatched({ kind: 'signal', name, correlation }, { store, ids: names.ids });
    reportUnmatched(world, why.reason, why.line);
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
}

async function callBack(world: World, settles: () => Promise<void>, nodeId: string | undefined, request: CallbackInput): Promise<void> {
  const claim = world.addresses.last(nodeId);
  if (claim === undefined) {
    const whose = nodeId === undefined ? '' : ` of node "${nodeId}"`;
    const reason = `no text has given the address${whose} yet: write {{resumeUrl("NODE")}} in it`;
    return reportUnmatched(world, reason, unmatchedLine(reason));
  }
  await callAddress(world, claim, request, settles);
}

/** Every execution of the conversation, the oldest first. */
export const listExecutions = async ({ store, names }: Pick<World, 'store' | 'names'>): Promise<readonly ExecutionRecord[]> =>
  (await Promise.all(names.ids.map(async (id) => store.load(companyId, id)))).filter((record) => record !== undefined);

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

/** Calls a webhook. The call may wait behind earlier work: then its answer is written when it comes. */
export async function call(
  { engine, transcript, observer, canvasOf, mainId, channel }: World,
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
      observer.refused?.(error.message);
    },
  );
  await settles();
  if (failure !== undefined) throw failure.error;
  write = transcript.output;
  return answer;
}

/** Calls the address of a callback, as a third party does. The answer is written when it comes. */
async function callAddress(
  { engine, transcript, observer }: World,
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
      else {
        write(`callback answered: ${isOver(error) ? '404' : `error ${error.code}`}`);
        observer.refused?.(error.message);
      }
    },
  );
  await settles();
  if (failure !== undefined) throw failure.error;
}

/** Whether an address is of no use any more: the service answers 404, whatever the reason is. */
const isOver = (error: unknown): boolean => isHiloError(error, 'EXECUTION_NOT_FOUND') || isHiloError(error, 'EXECUTION_NOT_WAITING');
