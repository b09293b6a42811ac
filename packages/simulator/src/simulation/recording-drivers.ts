// Drivers that record their calls and answer as they are told.
import {
  type BoundDriver,
  type Driver,
  type DriverContext,
  drive,
  type EffectDefinition,
  isJsonObject,
  type Json,
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
import { sentMessageId } from '../script/script-input.ts';
import { createCodeRunner } from './code-driver.ts';
import { findIn, type FoundInCompany } from './company-directory.ts';
import type { Desk } from './desk.ts';
import { keepAsFile } from './name-file.ts';
import type { Fault, RecordedCall } from './recorded-call.ts';
import { createRefusals, type Refusal } from './refusals.ts';
import { type ApiAnswer, apiResult } from './scripted-api.ts';
import { createScriptedCalls, type OpenEffect } from './scripted-calls.ts';

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

/** Creates drivers that record each call and answer as configured. */
export function createRecordingDrivers(options: RecordingOptions = {}): RecordingDrivers {
  const { drivers: given = [], asks = [], onOutcome } = options;
  const scripted = createScriptedCalls({ asks, answers: options.answers ?? (() => undefined), onOutcome });
  const refusals = createRefusals(onOutcome);
  const recorder = createRecorder(options, scripted);
  const { record } = recorder;

  const createScriptedDriver = (one: OpenEffect): BoundDriver =>
    drive(
      one.effect,
      record(one.effect, (_request, context, call) => scripted.ask(one, context, call)),
    );

  return {
    // Where two are for the same effect, the later one is used.
    drivers: [
      ...createMessageDrivers(options, recorder, refusals),
      createHttpDriver(options, recorder, scripted),
      ...createCompanyDrivers(options, recorder, refusals),
      ...scripted.effects.map(createScriptedDriver),
      ...(asks.some(({ type }) => type === runCode.type) ? [] : [createCodeDriver(options, recorder, scripted)]),
      ...given.map((driver) => recordGiven(driver, recorder, onOutcome)),
    ],
    calls: recorder.calls,
    sent: recorder.sent,
    answer: (answer) => void scripted.api.answer(apiResult(answer)),
    answerCall: scripted.answerCall,
    refuse: refusals.keep,
    deliver: (message) => void recorder.sent.push(message),
    pending: scripted.pending,
    exampleFor: scripted.exampleFor,
    forget: scripted.forget,
  };
}

type ScriptedCalls = ReturnType<typeof createScriptedCalls>;
type Refusals = ReturnType<typeof createRefusals>;
type Recorder = ReturnType<typeof createRecorder>;

/** Keeps each call, and what reached the user. */
function createRecorder({ faults = () => undefined, onCall }: RecordingOptions, { hold }: Pick<ScriptedCalls, 'hold'>) {
  const calls: RecordedCall[] = [];
  const sent: Json[] = [];

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
  return { calls, sent, record, recordMessage };
}

/** What goes to the user: messages and templates. */
function createMessageDrivers(
  { enforcesSessionWindow = true, templateReopensWindow = 'onSend', found = findIn() }: RecordingOptions,
  { record, recordMessage }: Recorder,
  { takeRefusal, takeCause }: Refusals,
): readonly BoundDriver[] {
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
  return [
    drive(sendMessage, withSessionWindow(messages, { enforce: () => enforcesSessionWindow })),
    drive(sendTemplate, reopeningWindow(templates, templateReopensWindow)),
  ];
}

/** Calls of endpoints: those that `answers` leaves open wait for a line of the script. */
function createHttpDriver(
  { answers = () => undefined, onOutcome }: RecordingOptions,
  { record, calls }: Recorder,
  { api, hold }: ScriptedCalls,
): BoundDriver {
  return drive(
    httpRequest,
    record(httpRequest, (request, context, call) => {
      const number = calls.length;
      const keeps = <Answer>(answer: Answer): Answer => (request.responseType === 'file' ? keepAsFile(answer, number) : answer);
      const known = answers(call);
      if (known === undefined) return hold(call, context, api.ask(context.signal).then(keeps)) as never;
      onOutcome?.(call, known);
      return keeps(completeResponse(known)) as never;
    }),
  );
}

/** What changes in the company: tags, groups, consents and hand-offs. */
function createCompanyDrivers(
  { desk, found = findIn() }: RecordingOptions,
  { record }: Recorder,
  { takeCause }: Refusals,
): readonly BoundDriver[] {
  return [
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
  ];
}

/** Code runs in the sandbox; only on a platform without WebAssembly its result is asked for. */
function createCodeDriver({ onOutcome }: RecordingOptions, { record }: Recorder, { ask, find }: ScriptedCalls): BoundDriver {
  const runInOrder = createCodeRunner();
  return drive(
    runCode,
    record(runCode, async (request, context, call) => {
      const result = await runInOrder(request);
      if (result === undefined) return ask(find(runCode.type), context, call) as never;
      onOutcome?.(call, result);
      return result;
    }),
  );
}

function recordGiven({ effect, perform }: BoundDriver, { record }: Recorder, onOutcome: RecordingOptions['onOutcome']): BoundDriver {
  return drive(
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
}

/** The result of an endpoint that `answers` speaks for: whole, or as a script writes it, by its status or the reason of its silence. */
function completeResponse(answer: Json): unknown {
  if (isJsonObject(answer) && 'kind' in answer) return answer;
  const given = apiResult(answer as ApiAnswer);
  if (given.kind === 'throws') throw new Error('The driver of http.request was told to throw');
  return given.result;
}
