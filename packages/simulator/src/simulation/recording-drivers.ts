// Drivers that record their calls and answer as they are told.
import {
  type BoundDriver,
  type Driver,
  type DriverContext,
  drive,
  type EffectDefinition,
  isJsonObject,
  type Json,
  type JsonObject,
  type Origin,
  HiloError,
} from '@hilo/engine/contract';
import {
  changeConsent,
  changeGroup,
  changeTags,
  httpRequest,
  logEvent,
  openHandoff,
  respondWebhook,
  reopeningWindow,
  runCode,
  sendMessage,
  sendTemplate,
  type TemplateReopensWindow,
  withSessionWindow,
} from '@hilo/nodes/effects';
import { type ScriptedEffect, scriptedEffects, createOwnEffect } from './scripted-effects.ts';
import { sentMessageId } from '../script/script-input.ts';
import { createCodeRunner } from './code-driver.ts';
import { findIn, type FoundInCompany } from './company-directory.ts';
import type { Desk } from './desk.ts';
import { keepAsFile } from './name-file.ts';
import { type ApiAnswer, apiResult, createOpenCalls, type GivenAnswer, type OpenCalls } from './scripted-api.ts';

/** A call of a driver, with its arguments. */
export interface RecordedCall {
  /** The type of the effect, such as `message.send`. */
  readonly effect: string;
  readonly request: Json;
  readonly idempotencyKey: string;
  readonly executionId: string;
  readonly nodeId: string;
  readonly attempt: number;
  readonly origin: Origin;
  readonly atMs: number;
}

/** What a driver can do instead of its work: throw, never answer, or return an invalid result. */
export type Fault = 'throws' | 'hangs' | 'rubbish';

/** How recording drivers meet their calls. */
export interface RecordingOptions {
  /** The fault of a call; `undefined` for none. */
  readonly faults?: ((call: RecordedCall) => Fault | undefined) | undefined;
  /** Whether the 24-hour window counts (WIN-03); it does, when left out. */
  readonly enforcesSessionWindow?: boolean | undefined;
  /** WIN-02; `onSend` when left out. */
  readonly templateReopensWindow?: TemplateReopensWindow | undefined;
  /** Drivers that replace those here, or perform own effects; their calls are recorded too. */
  readonly drivers?: readonly BoundDriver[] | undefined;
  /** Effects of own nodes that nothing performs here: their calls wait for an answer, as those of a model do. */
  readonly asks?: readonly EffectDefinition[] | undefined;
  /** Answers a call that would be pending; it stays pending for `undefined`. See {@link sampleAnswer}. */
  readonly answers?: ((call: RecordedCall) => Json | undefined) | undefined;
  /** Called for every call, in order. */
  readonly onCall?: ((call: RecordedCall, fault: Fault | undefined) => void) | undefined;
  /** Called with the outcome of a call that no script line answers: of code, given drivers and `answers`. */
  readonly onOutcome?: ((call: RecordedCall, outcome: Json | Error) => void) | undefined;
  /** Who attends a user that is handed over; every hand-off is opened, when left out. */
  readonly desk?: Pick<Desk, 'open'> | undefined;
  /** What the company has of what canvases name; everything, when left out. */
  readonly found?: FoundInCompany | undefined;
}

/** A driver for every effect of the standard nodes, none of which reaches the world. */
export interface RecordingDrivers {
  readonly drivers: readonly BoundDriver[];
  /** Every call, in order. */
  readonly calls: readonly RecordedCall[];
  /** What reached the user, in order: messages as they are sent, and `{ type: 'template', templateId, parameters }`. */
  readonly sent: readonly Json[];
  /** Answers the oldest `http.request` without an answer, or else the next one. */
  answer(answer: ApiAnswer): void;
  /**
   * Answers the oldest pending call of an effect, or else the next one.
   *
   * @param answer - the effect's result; fields with an obvious default may be left out
   * @returns whether a pending call got it, or it is kept for the next call
   * @throws {HiloError} `INVALID_SCRIPT` for an answer that does not fit the effect, and for an effect that takes no answers
   */
  answerCall(effect: string, answer: Json): 'answered' | 'kept';
  /** Refuses the next message or template, or the next effect of a node that can be refused. */
  refuse(refusal: Refusal): void;
  /** Shows the user a message that is not of the bot, such as an operator's. */
  deliver(message: Json): void;
  /** The calls without an answer, oldest first. */
  pending(): readonly RecordedCall[];
  /** A line of a script that would answer a call. */
  exampleFor(call: RecordedCall): string | undefined;
  /** Drops these calls: their caller is dead. */
  forget(): void;
}

/** A refusal that is kept for a call. */
export interface Refusal {
  /** Of any node, when left out: then for the next message or template. */
  readonly nodeId?: string | undefined;
  readonly result: { readonly kind: 'refused'; readonly cause: string; readonly message: string } | { readonly kind: 'windowClosed' };
}

/** Creates drivers that record each call and answer as configured. */
export function createRecordingDrivers({
  faults = () => undefined,
  enforcesSessionWindow = true,
  templateReopensWindow = 'onSend',
  drivers: given = [],
  asks = [],
  answers = () => undefined,
  onCall,
  onOutcome,
  desk,
  found = findIn(),
}: RecordingOptions = {}): RecordingDrivers {
  const calls: RecordedCall[] = [];
  const sent: Json[] = [];
  const held = new Set<RecordedCall>();
  const runInOrder = createCodeRunner();
  const scripted = new Map<string, OpenEffect>(
    [
      ...scriptedEffects,
      ...asks.map((effect) => scriptedEffects.find((known) => known.effect.type === effect.type) ?? createOwnEffect(effect)),
    ].map((one) => [one.effect.type, { ...one, numbers: new Map(), open: createOpenCalls() }]),
  );
  const api = createOpenCalls();

  /** Keeps a call until it is answered, or until the engine lets go of it. */
  const hold = <Result>(call: RecordedCall, { signal }: DriverContext, answer: Promise<Result>): Promise<Result> => {
    const release = () => held.delete(call);
    held.add(call);
    signal.addEventListener('abort', release);
    return answer.finally(release);
  };

  const record =
    <Type extends string, Request, Result>(
      effect: EffectDefinition<Type, Request, Result>,
      perform: (request: Request, context: DriverContext, call: RecordedCall) => Result | Promise<Result>,
    ) =>
    (request: Request, context: DriverContext): Result | Promise<Result> => {
      const { idempotencyKey, executionId, nodeId, attempt, origin, nowMs: atMs } = context;
      const call: RecordedCall = {
        effect: effect.type,
        request: request as Json,
        idempotencyKey,
        executionId,
        nodeId,
        attempt,
        origin,
        atMs,
      };
      const fault = faults(call);
      calls.push(call);
      onCall?.(call, fault);
      if (fault === 'throws') throw new Error(`The driver of ${effect.type} was told to throw`);
      if (fault === 'rubbish') return { rubbish: effect.type } as Result;
      return fault === 'hangs' ? hold(call, context, new Promise<Result>(() => {})) : perform(request, context, call);
    };

  const recordMessage = (message: Json): { readonly kind: 'sent'; readonly messageId: string } => {
    sent.push(message);
    return { kind: 'sent', messageId: sentMessageId(sent.length) };
  };

  /** Answers by `answers`; without an answer there, the call waits for a line of the script. */
  const ask = (one: OpenEffect, context: DriverContext, call: RecordedCall): unknown => {
    const number = one.numbers.get(context.idempotencyKey) ?? one.numbers.size + 1;
    one.numbers.set(context.idempotencyKey, number);
    const completed = (result: unknown): unknown => (isJsonObject(result as Json) ? one.complete(result as JsonObject, number) : result);
    const known = answers(call);
    if (known === undefined) return hold(call, context, one.open.ask(context.signal).then(completed));
    const result = completed(known);
    onOutcome?.(call, result as Json);
    return result;
  };

  const createScriptedDriver = (one: OpenEffect): BoundDriver =>
    drive(
      one.effect,
      record(one.effect, (_request, context, call) => ask(one, context, call)),
    );

  /** Code runs in the sandbox; only on a platform without WebAssembly its result is asked for. */
  const codeDriver: BoundDriver = drive(
    runCode,
    record(runCode, async (request, context, call) => {
      const result = await runInOrder(request);
      if (result === undefined) return ask(findScripted(runCode.type), context, call) as never;
      onOutcome?.(call, result);
      return result;
    }),
  );

  const recordGiven = ({ effect, perform }: BoundDriver): BoundDriver =>
    drive(
      effect,
      record(effect, (request, context, call) => {
        const report = <Outcome>(outcome: Outcome): Outcome => {
          onOutcome?.(call, outcome as Json);
          return outcome;
        };
        const failed = (error: unknown): never => {
          onOutcome?.(call, error instanceof Error ? error : new Error(String(error)));
          throw error;
        };
        try {
          const answer = perform(request as never, context);
          return answer instanceof Promise ? answer.then(report, failed) : report(answer);
        } catch (error) {
          return failed(error);
        }
      }),
    );

  const findScripted = (effect: string): OpenEffect => {
    const one = scripted.get(effect);
    if (one === undefined)
      throw new HiloError('INVALID_SCRIPT', {
        reason: `Nothing asks for an answer of "${effect}" here: ${[...scripted.keys()].join(', ')} can be answered`,
      });
    return one;
  };

  const refusals: Refusal[] = [];
  /** Takes the first kept refusal that is for a call. */
  const takeRefusal = (call: RecordedCall): Refusal['result'] | undefined => {
    const isForAny = call.effect === sendMessage.type || call.effect === sendTemplate.type;
    const index = refusals.findIndex(
      ({ nodeId, result }) =>
        (nodeId === undefined ? isForAny : nodeId === call.nodeId) && (result.kind === 'refused' || call.effect === sendMessage.type),
    );
    const [taken] = index === -1 ? [] : refusals.splice(index, 1);
    if (taken !== undefined) onOutcome?.(call, taken.result);
    return taken?.result;
  };
  /** The result of a call that may be refused but has no window. */
  const takeCause = (call: RecordedCall): Extract<Refusal['result'], { readonly kind: 'refused' }> | undefined => {
    const taken = takeRefusal(call);
    return taken?.kind === 'refused' ? taken : undefined;
  };

  const messages: Driver<typeof sendMessage> = record(
    sendMessage,
    ({ message }, _context, call) => takeRefusal(call) ?? recordMessage(message),
  );
  const templates: Driver<typeof sendTemplate> = record(sendTemplate, (request, context, call) => {
    const refused = takeCause(call);
    if (refused !== undefined) return refused;
    const template = found.template(request, context);
    return template.kind === 'refused' ? template : recordMessage({ type: 'template', ...request, templateId: template.id });
  });

  return {
    // Of two drivers for an effect, the later one is used.
    drivers: [
      drive(sendMessage, withSessionWindow(messages, { enforce: () => enforcesSessionWindow })),
      drive(sendTemplate, reopeningWindow(templates, templateReopensWindow)),
      drive(
        httpRequest,
        record(httpRequest, (request, context, call) => {
          const number = calls.length;
          const keeps = <Answer>(answer: Answer): Answer => (request.responseType === 'file' ? keepAsFile(answer, number) : answer);
          const known = answers(call);
          if (known === undefined) return hold(call, context, api.ask(context.signal).then(keeps)) as never;
          onOutcome?.(call, known);
          return keeps(completeResponse(known)) as never;
        }),
      ),
      drive(
        respondWebhook,
        record(respondWebhook, () => ({ kind: 'done' })),
      ),
      drive(
        changeTags,
        record(changeTags, (change, context, call) => takeCause(call) ?? found.tags(change, context)),
      ),
      drive(
        changeGroup,
        record(changeGroup, (_change, _context, call) => takeCause(call) ?? { kind: 'changed' }),
      ),
      drive(
        changeConsent,
        record(changeConsent, (_change, _context, call) => takeCause(call) ?? { kind: 'changed' }),
      ),
      drive(
        openHandoff,
        record(openHandoff, (request, { idempotencyKey }, call) => {
          const refused = takeCause(call);
          if (refused !== undefined) return refused;
          const conversationId = `conversation-${idempotencyKey}`;
          return desk?.open(request, idempotencyKey, found.operator) ?? { kind: 'opened', conversationId, key: conversationId };
        }),
      ),
      drive(
        logEvent,
        record(logEvent, () => ({ kind: 'done' })),
      ),
      ...[...scripted.values()].map(createScriptedDriver),
      ...(asks.some(({ type }) => type === runCode.type) ? [] : [codeDriver]),
      ...given.map(recordGiven),
    ],
    calls,
    sent,
    answer: (answer) => void api.answer(apiResult(answer)),
    answerCall(effect, answer) {
      const one = findScripted(effect);
      if (answer === 'throws') return one.open.answer({ kind: 'throws' });
      const { success, error } = one.effect.result.safeParse(isJsonObject(answer) ? one.complete(answer, 1) : answer);
      if (success) return one.open.answer({ kind: 'result', result: answer } satisfies GivenAnswer);
      const { message = '', path = [] } = error.issues[0] ?? {};
      throw new HiloError('INVALID_SCRIPT', {
        reason: `That is no answer of ${effect}${path.length === 0 ? '' : ` at "${path.join('.')}"`}: ${message}. One is, for example: ${one.example({})}`,
      });
    },
    refuse: (refusal) => void refusals.push(refusal),
    deliver: (message) => void sent.push(message),
    pending: () => [...held],
    exampleFor({ effect, request }) {
      if (effect === httpRequest.type) return 'api: 200 {"ok":true}';
      return scripted.get(effect)?.example(isJsonObject(request) ? request : {});
    },
    forget() {
      held.clear();
      api.forget();
      for (const { open } of scripted.values()) open.forget();
    },
  };
}

/** The result of an endpoint that `answers` speaks for: whole, or as a script writes it, by its status or the reason of its silence. */
function completeResponse(answer: Json): unknown {
  if (isJsonObject(answer) && 'kind' in answer) return answer;
  const given = apiResult(answer as ApiAnswer);
  if (given.kind === 'throws') throw new Error('The driver of http.request was told to throw');
  return given.result;
}

/** An effect whose results a script gives, with its pending calls. */
type OpenEffect = ScriptedEffect & {
  /** Which call of the effect this is, by idempotency key: the same call again has the same number (P4). */
  readonly numbers: Map<string, number>;
  readonly open: OpenCalls;
};
