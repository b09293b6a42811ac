// A visit of an agent: the model is asked, its calls are made, and the user is told or asked, within the budgets of the agent.
import {
  again,
  type Failure,
  isJsonObject,
  type Json,
  type JsonObject,
  leave,
  type Outcome,
  perform,
  reply,
  type Write,
  utf8Bytes,
} from '@hilo/engine/contract';
import { askModel } from '../effects/ask-model.ts';
import { sendMessage } from '../effects/send-message.ts';
import { checkMessage, type RenderedMessage } from '../message-config.ts';
import { continueAfterSending, invalidMessage } from '../message-sending.ts';
import { readBeginning, showsNothing } from '../messages/folded-text.ts';
import { InboundMessage } from '../messages/inbound-message.ts';
import type { Message } from '../messages/message.ts';
import { wordsOf } from '../messages/message-words.ts';
import { pressedOption } from '../messages/options.ts';
import { failureCauses, knownOf } from '../model-call/ask-models.ts';
import { renderFields } from '../render-fields.ts';
import { exitTool, type Tool } from './config.ts';
import { type Attempt, countAnswer, createRequest, hidePart, listNews, shownTool, withOwnIds } from './model-request.ts';
import { type Scene, type Turn, turnMs, withScope } from './scene.ts';
import { type Call, freshTalk, memoOf, type Part, type Talk, transcriptOf } from './talk.ts';
import { boundOutput, callTool, checkingFields, checkingInput, graceMs, readInput, type ToolOutput } from './tools.ts';

/** Begins with the opening, or with what the user wrote. */
export function begin(scene: Scene): Outcome<string> {
  const { config, variables, mask } = scene;
  const opening = config.opening?.(variables) ?? '';
  if (showsNothing(opening)) return hear(scene, freshTalk, readMessage(variables.get(['$message'])));
  const say = mask.hideText(opening);
  return tell(scene, { ...freshTalk, say, messages: [{ role: 'assistant', text: say }] });
}

/** Leaves by a port with the conversation so far, in which a model may have written what is withheld; the memo is dropped. */
function end(
  { config: { transcriptAs }, mask }: Scene,
  { messages }: Talk,
  port: string,
  more: {
    readonly writes?: readonly Write[];
    readonly failure?: Failure;
  } = {},
): Outcome<string> {
  const { writes = [], failure } = more;
  const transcript =
    transcriptAs === undefined ? [] : [{ path: transcriptAs, value: transcriptOf(messages.map((part) => hidePart(part, mask))) }];
  return leave(port, [...writes, ...transcript], { memo: null, ...(failure !== undefined && { failure }) });
}

const endAtLimit = (scene: Scene, talk: Talk, cause: LimitCause, message: string): Outcome<string> =>
  end(scene, talk, 'limit', { failure: { cause, message, details: { spent: { ...talk.spent } } } });

type LimitCause = 'AGENT_TURN_LIMIT' | 'AGENT_CALL_LIMIT' | 'AGENT_TOKEN_LIMIT' | 'AGENT_COST_LIMIT' | 'AGENT_TIME_LIMIT' | 'AGENT_STUCK';

/** Sends a message, and continues when the user has answered it. */
function converse(
  scene: Scene,
  talk: Talk,
  rendered: RenderedMessage,
  next: (scene: Scene, said: Said, asked: Message) => Outcome<string>,
): Outcome<string> {
  if (rendered.kind === 'invalid') return endByError(scene, talk, invalidMessage(rendered).failure);
  const { message } = rendered;
  return perform(sendMessage({ message }), (sent): Outcome<string> => {
    const outcome = continueAfterSending(
      (): Outcome<string> =>
        perform(reply({ dueInMs: scene.config.idle }), (got): Outcome<string> => {
          if (got.kind === 'timeout')
            return end(scene, talk, 'timeout', {
              failure: { cause: 'TIMEOUT', message: `No message came within ${scene.config.idle} ms` },
            });
          const heard = withScope(scene.variables, '$message', got.message);
          const mask = scene.mask.next(scene.config, heard);
          return next({ ...scene, variables: heard, mask }, { ...readMessage(got.message), acceptedAtMs: got.acceptedAtMs }, message);
        }),
    )(sent);
    if (outcome.kind !== 'leave') return outcome;
    return end(scene, talk, outcome.port, outcome.failure === undefined ? {} : { failure: outcome.failure });
  });
}

const endByError = (scene: Scene, talk: Talk, failure: Failure | undefined): Outcome<string> =>
  end(scene, talk, 'error', failure === undefined ? {} : { failure });

/** A message of the user: its fields, as far as they can be read, and its words. */
interface Said {
  readonly received: Partial<InboundMessage>;
  /** When it came, by the clock of the service, where that was before the wait for it. */
  readonly acceptedAtMs?: number | undefined;
  readonly text: string;
}

const Received = InboundMessage.extend({
  id: InboundMessage.shape.id.exactOptional(),
  type: InboundMessage.shape.type.exactOptional(),
}).catch({});

function readMessage(message: Json | undefined): Said {
  const received = Received.parse(isJsonObject(message) ? message : {});
  return { received, text: readBeginning(wordsOf(received)) };
}

/** Says what the model said last, and hears the answer. */
export const tell = (scene: Scene, talk: Talk): Outcome<string> =>
  converse(scene, talk, checkMessage({ type: 'text', text: scene.mask.showText(talk.say) }, scene.channel), (heard, said) =>
    hear(heard, talk, said),
  );

/** Begins a turn with what the user said. */
function hear(scene: Scene, talk: Talk, { text }: Said): Outcome<string> {
  const heard = countTurn({ ...talk, say: '', messages: [...talk.messages, { role: 'user', text: scene.mask.hideText(text) }] });
  return exceedsTurns(scene, heard) ?? think(scene, { talk: heard, modelCalls: 0, toolCalls: 0, usedMs: 0 });
}

const countTurn = (talk: Talk): Talk => ({ ...talk, spent: { ...talk.spent, turns: talk.spent.turns + 1 } });

function exceedsTurns(scene: Scene, talk: Talk): Outcome<string> | undefined {
  const { turns } = scene.config.limits;
  return talk.spent.turns > turns ? endAtLimit(scene, talk, 'AGENT_TURN_LIMIT', `The user wrote more than ${turns} messages`) : undefined;
}

/** Asks the models for the next answer. @param note - what was wrong with the last one */
function think(scene: Scene, turn: Turn, note?: string): Outcome<string> {
  const { model, fallback } = scene.config;
  const spentUp = findSpentBudget(scene, turn);
  if (spentUp !== undefined) return endAtLimit(scene, turn.talk, ...spentUp);
  return ask(scene, turn, note, [{ model }, ...(fallback === undefined ? [] : [{ model: fallback }])]);
}

/** The budget that allows no further call of a model. */
function findSpentBudget(
  { config: { limits } }: Scene,
  { talk: { spent }, modelCalls, usedMs }: Turn,
): readonly [LimitCause, string] | undefined {
  if (modelCalls >= limits.modelCalls) return ['AGENT_CALL_LIMIT', `A turn has ${limits.modelCalls} calls of models at most`];
  if (usedMs > turnMs - leastMs) return ['AGENT_TIME_LIMIT', `A turn has ${turnMs} ms at most`];
  if (spent.inputTokens + spent.outputTokens >= limits.tokens) return ['AGENT_TOKEN_LIMIT', `The models used ${limits.tokens} tokens`];
  if (limits.cost !== undefined && spent.costMicros >= limits.cost.amount * 1_000_000)
    return ['AGENT_COST_LIMIT', `The models cost ${limits.cost.amount} ${limits.cost.currency}`];
  return undefined;
}

/** Less time than this is none for a call. */
const leastMs = 1_000;

function ask(
  scene: Scene,
  turn: Turn,
  note: string | undefined,
  [attempt, ...others]: readonly Attempt[],
  hasPaused = false,
): Outcome<string> {
  if (attempt === undefined) return endByError(scene, turn.talk, { cause: 'AI_UNAVAILABLE', message: 'There is no model to ask' });
  const { config, hold } = scene;
  const { model, afterMs } = attempt;
  const request = createRequest(scene, turn, note, attempt);
  const limitMs = request.timeoutMs + (afterMs ?? 0) + graceMs;
  return perform(
    askModel(request),
    (result): Outcome<string> => {
      const next = countAnswer(turn, model, request.messages, result);
      if (result.kind === 'failed') {
        const pause = hasPaused || others.length > 0 || !mayRecover.has(result.reason) ? undefined : pauseMs(result.retryAfterMs);
        const left = pause === undefined ? others : [{ model: config.model, afterMs: pause }];
        if (left.length > 0 && findSpentBudget(scene, next) === undefined && next.usedMs + (pause ?? 0) <= turnMs - leastMs)
          return ask(scene, next, note, left, hasPaused || pause !== undefined);
        const { reason, message } = result;
        return endByError(scene, next.talk, { cause: failureCauses[reason], message, details: { model: model.name, ...knownOf(result) } });
      }
      if (result.finish === 'refused') {
        if (others.length > 0 && findSpentBudget(scene, next) === undefined) return ask(scene, next, note, others, hasPaused);
        return askAgain(scene, next, 'You did not answer. Answer what you may, or call a tool.');
      }
      return takeAnswer(scene, next, result);
    },
    {
      recorded: { model: request.model, messages: [...listNews(turn.talk.messages, note, scene.mask)] },
      deadline: { appliedMs: limitMs, cause: 'TIMEOUT' },
      ...(hold !== undefined && { hold }),
    },
  );
}

/** Failures after which another call may succeed. */
const mayRecover: ReadonlySet<string> = new Set(['timeout', 'unreachable', 'rate-limited', 'unavailable', 'malformed']);

/** The pause before the last attempt: two seconds, or what the provider asked for, up to twenty. */
const pauseMs = (retryAfterMs = 2_000): number => Math.min(Math.max(Math.ceil(retryAfterMs), 2_000), 20_000);

/** The most bytes that the calls of one answer have together: the memo holds them while the user is asked. */
const callsBytes = 8_000;

function takeAnswer(
  scene: Scene,
  turn: Turn,
  {
    text,
    calls: written = [],
    kept,
    finish,
  }: { readonly text: string; readonly calls?: readonly Call[]; readonly kept?: Json; readonly finish: string },
): Outcome<string> {
  const { talk } = turn;
  if (written.length > 0) {
    const calls = withOwnIds(written);
    if (utf8Bytes(JSON.stringify(calls)) > callsBytes)
      return askAgain(scene, turn, 'Your calls were too long: make fewer, with shorter inputs.');
    const answer: Part = { role: 'assistant', text, calls: [...calls], ...(kept !== undefined && { kept }) };
    return act(scene, { ...turn, talk: { ...talk, messages: [...talk.messages, answer] } }, calls, false);
  }
  if (finish === 'length') return askAgain(scene, turn, 'Your answer was cut off: answer more briefly.');
  if (showsNothing(text)) return askAgain(scene, turn, 'Your answer was empty: answer the user, or call a tool.');
  const said = checkMessage({ type: 'text', text: scene.mask.showText(text) }, scene.channel);
  if (said.kind === 'invalid')
    return askAgain(scene, turn, `Your answer cannot be sent: ${said.problems.map(({ message }) => message).join(' ')}`);
  return goOn(scene, { ...talk, invalid: 0, say: text, messages: [...talk.messages, { role: 'assistant', text }] });
}

/** Ends the visit: the next one begins with what is to be said, or asked. */
const goOn = (scene: Scene, talk: Talk): Outcome<string> => again(memoOf({ ...talk, masked: scene.mask.known }, scene.config.history));

/** Counts an invalid answer, and asks once more. */
function askAgain(scene: Scene, turn: Turn, note: string): Outcome<string> {
  const talk = { ...turn.talk, invalid: turn.talk.invalid + 1 };
  return isStuck(scene, talk) ?? think(scene, { ...turn, talk }, note);
}

function isStuck(scene: Scene, talk: Talk): Outcome<string> | undefined {
  const { invalid } = scene.config.limits;
  return talk.invalid >= invalid ? endAtLimit(scene, talk, 'AGENT_STUCK', `The model gave ${invalid} invalid answers in a row`) : undefined;
}

/** Makes the calls of an answer one after the other; an exit ends the conversation. @param wasWrong - whether an earlier one was invalid */
function act(scene: Scene, turn: Turn, [call, ...rest]: readonly Call[], wasWrong: boolean): Outcome<string> {
  const { config, mask } = scene;
  if (call === undefined) return think(scene, wasWrong ? turn : { ...turn, talk: { ...turn.talk, invalid: 0 } });
  const exit = config.exits.find((one) => exitTool(one) === call.tool);
  const tool = config.tools.find(({ name }) => name === call.tool);
  const check = exit === undefined ? tool && checkingInput(tool) : checkingFields(exit.fields ?? {});
  const input = check && readInput(call.input, check, mask);
  // An exit is no call of a tool: whoever has made all that it may can leave.
  if (exit !== undefined && input?.kind === 'valid')
    return end(scene, turn.talk, exit.name, {
      writes: config.saveAs === undefined ? [] : [{ path: config.saveAs, value: input.values }],
    });
  if (turn.toolCalls >= config.limits.toolCalls)
    return endAtLimit(scene, turn.talk, 'AGENT_CALL_LIMIT', `A turn has ${config.limits.toolCalls} calls of tools at most`);
  const counted: Turn = { ...turn, toolCalls: turn.toolCalls + 1, talk: countTool(turn.talk) };
  const refuse = (problem: string): Outcome<string> => {
    const talk = respond(scene, counted.talk, call, { output: problem, isError: true });
    const wrong = wasWrong ? talk : { ...talk, invalid: talk.invalid + 1 };
    return isStuck(scene, wrong) ?? act(scene, { ...counted, talk: wrong }, rest, true);
  };
  if (input === undefined) return refuse(`There is no tool "${shownTool(call.tool, mask)}".`);
  if (input.kind === 'invalid') return refuse(input.problem);
  if (tool === undefined) return refuse('There is no such tool.');
  const inputs = inputsOf(scene, tool, input.values);
  const question = askForConsent(scene, tool, inputs);
  if (question === undefined) return runTool(scene, counted, { tool, call, inputs, rest, wasWrong });
  if (question.kind === 'invalid') return refuse(`The user cannot be asked: ${question.problems.map(({ message }) => message).join(' ')}`);
  return goOn(scene, { ...counted.talk, asking: { call, rest } });
}

const countTool = (talk: Talk): Talk => ({ ...talk, spent: { ...talk.spent, toolCalls: talk.spent.toolCalls + 1 } });

/** The conversation with the output of a call. */
const respond = ({ mask }: Scene, talk: Talk, { id, tool }: Call, { output, isError }: ToolOutput): Talk => ({
  ...talk,
  messages: [...talk.messages, { role: 'tool', id, tool, output: boundOutput(mask.hide(output)), isError }],
});

interface Running {
  readonly tool: Tool;
  readonly call: Call;
  /** All inputs: those of the model, and those that the author fills in. */
  readonly inputs: JsonObject;
  readonly rest: readonly Call[];
  readonly wasWrong: boolean;
}

function runTool(scene: Scene, turn: Turn, { tool, call, inputs, rest, wasWrong }: Running): Outcome<string> {
  const leftMs = Math.floor(turnMs - turn.usedMs);
  if (leftMs < leastMs) return endAtLimit(scene, turn.talk, 'AGENT_TIME_LIMIT', `A turn has ${turnMs} ms at most`);
  const timeoutMs = Math.min(tool.timeout, leftMs);
  const { effect, read, options } = callTool(tool, inputs, timeoutMs, scene.mask);
  return perform(
    effect,
    (result: never): Outcome<string> => {
      const output = read(result);
      const talk = respond(scene, turn.talk, call, output);
      return act(scene, { ...turn, talk, usedMs: turn.usedMs + (output.tookMs ?? timeoutMs) }, rest, wasWrong);
    },
    { ...options, ...(scene.hold !== undefined && { hold: scene.hold }) },
  );
}

const inputsOf = ({ variables }: Scene, { with: fixed }: Tool, values: JsonObject): JsonObject => ({
  ...values,
  ...renderFields(fixed, variables),
});

/** The question that the user must agree to; `undefined` for a tool that needs none. */
function askForConsent({ variables, channel }: Scene, { confirm }: Tool, inputs: JsonObject): RenderedMessage | undefined {
  if (confirm === undefined) return undefined;
  const buttons = [{ title: confirm.yes }, { title: confirm.no }];
  return checkMessage({ type: 'quick_reply', text: confirm.text(withScope(variables, '$tool', inputs)), quick_replies: buttons }, channel);
}

/**
 * Asks the user whether a call may be made. Only the button, or its title, is a yes: the model reads anything else. What came before the
 * question, such as the second tap of a button of the question before, waited for this one and is no answer to it. When it came is told by
 * the clock of the service: that of a provider, which may be behind, would take a yes for an earlier one.
 */
export function askUser(scene: Scene, waiting: Talk, { call, rest }: NonNullable<Talk['asking']>): Outcome<string> {
  const { asking: _asked, ...talk } = waiting;
  const tool = scene.config.tools.find(({ name }) => name === call.tool);
  const input = tool === undefined ? undefined : readInput(call.input, checkingInput(tool), scene.mask);
  // What the user agrees to is what is called: the answer is a message, which inputs may read.
  const inputs = tool === undefined || input?.kind !== 'valid' ? undefined : inputsOf(scene, tool, input.values);
  const question = tool === undefined || inputs === undefined ? undefined : askForConsent(scene, tool, inputs);
  if (tool === undefined || inputs === undefined || question === undefined)
    return think(scene, {
      talk: declineAll(scene, talk, [call, ...rest], 'The call cannot be made any more.'),
      modelCalls: 0,
      toolCalls: 0,
      usedMs: 0,
    });
  return converse(scene, talk, question, (heard, { received, text, acceptedAtMs }, asked) => {
    const counted = countTurn(talk);
    const over = exceedsTurns(heard, counted);
    if (over !== undefined) return over;
    const turn = { modelCalls: 0, toolCalls: 0, usedMs: 0 };
    const isEarlier = acceptedAtMs !== undefined && acceptedAtMs <= scene.nowMs;
    if (!isEarlier && asked.type === 'quick_reply' && pressedOption(asked, received, heard.channel)?.title === tool.confirm?.yes)
      return runTool(heard, { ...turn, toolCalls: 1, talk: counted }, { tool, call, inputs, rest, wasWrong: false });
    const wrote = isEarlier ? 'wrote before the question' : 'wrote';
    const declined = declineAll(heard, counted, [call, ...rest], `The user did not agree, and ${wrote}: ${text}`);
    return think(heard, { ...turn, talk: declined });
  });
}

/** Answers calls that are not made. */
const declineAll = (scene: Scene, talk: Talk, calls: readonly Call[], why: string): Talk =>
  calls.reduce((so, call) => respond(scene, so, call, { output: why, isError: true }), talk);
