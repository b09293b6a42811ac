import {
  type BoundDriver,
  type Driver,
  type DriverContext,
  drive,
  type EffectDefinition,
  type Json,
  type Origin,
} from '@hilo/engine/contract';
import {
  askModel,
  callDatabase,
  callFunction,
  callSoap,
  changeTags,
  httpRequest,
  logEvent,
  openCheckout,
  openHandoff,
  respondWebhook,
  reopeningWindow,
  runCode,
  sendMessage,
  sendTemplate,
  type TemplateReopensWindow,
  withSessionWindow,
} from '@hilo/nodes/effects';
import { type ApiAnswer, createApi } from './scripted-api.ts';
import { answerOfDatabase } from './scripted-database.ts';
import { answerOfModel } from './scripted-model.ts';

/** A call that a driver got, as it came. */
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

/** What a driver can do instead of its work: it fails, never answers, or answers what is no result of the effect. */
export type Fault = 'throws' | 'hangs' | 'rubbish';

/** How recording drivers meet their calls. */
export interface RecordingOptions {
  /** The fault of a call; none, when it gives none. */
  readonly faults?: ((call: RecordedCall) => Fault | undefined) | undefined;
  /** Whether the 24-hour window counts (WIN-03); it does, when left out. */
  readonly enforcesSessionWindow?: boolean | undefined;
  /** WIN-02; `onSend` when left out. */
  readonly templateReopensWindow?: TemplateReopensWindow | undefined;
  /** Told of every call, in order. */
  readonly onCall?: ((call: RecordedCall, fault: Fault | undefined) => void) | undefined;
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
  /** The calls without an answer, oldest first. */
  pending(): readonly RecordedCall[];
  /** Forgets these calls: who made them is gone. */
  forget(): void;
}

/** Makes drivers that remember what they were asked for, and answer what a test tells them to. */
export function createRecordingDrivers({
  faults = () => undefined,
  enforcesSessionWindow = true,
  templateReopensWindow = 'onSend',
  onCall,
}: RecordingOptions = {}): RecordingDrivers {
  const calls: RecordedCall[] = [];
  const sent: Json[] = [];
  const held = new Set<RecordedCall>();
  const checkouts = new Set<string>();
  const handoffs = new Set<string>();
  const api = createApi();

  /** Keeps a call until it is answered, or until the engine lets go of it. */
  const hold = <Result>(call: RecordedCall, { signal }: DriverContext, answer: Promise<Result>): Promise<Result> => {
    const release = () => held.delete(call);
    held.add(call);
    signal.addEventListener('abort', release);
    return answer.finally(release);
  };

  const recording =
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

  const toUser = (message: Json): { readonly kind: 'sent'; readonly messageId: string } => {
    sent.push(message);
    return { kind: 'sent', messageId: `message-${sent.length}` };
  };
  const messages: Driver<typeof sendMessage> = recording(sendMessage, ({ message }) => toUser(message));
  const templates: Driver<typeof sendTemplate> = recording(sendTemplate, (request) => toUser({ type: 'template', ...request }));

  return {
    drivers: [
      drive(sendMessage, withSessionWindow(messages, { enforce: () => enforcesSessionWindow })),
      drive(sendTemplate, reopeningWindow(templates, templateReopensWindow)),
      drive(
        httpRequest,
        recording(httpRequest, (_request, context, call) => hold(call, context, api.request(context.signal))),
      ),
      drive(
        respondWebhook,
        recording(respondWebhook, () => ({ kind: 'done' })),
      ),
      drive(
        changeTags,
        recording(changeTags, ({ tags }) => ({ kind: 'changed', tags })),
      ),
      drive(
        callFunction,
        recording(callFunction, ({ body }) => ({ kind: 'returned', value: { echo: body } })),
      ),
      drive(
        callSoap,
        recording(callSoap, ({ body }) => ({ kind: 'response', response: { status: 200, headers: {}, body: { echo: body } } })),
      ),
      drive(
        callDatabase,
        recording(callDatabase, (request) => answerOfDatabase(request)),
      ),
      drive(
        runCode,
        recording(runCode, () => ({ kind: 'returned', value: {} })),
      ),
      drive(
        askModel,
        recording(askModel, ({ messages: [first] }) => ({
          kind: 'answered',
          text: answerOfModel(first?.text ?? ''),
          finish: 'stop',
          usage: {},
          tookMs: 0,
        })),
      ),
      drive(
        openHandoff,
        recording(openHandoff, (_request, { idempotencyKey }) => {
          handoffs.add(idempotencyKey);
          const key = `conversation-${[...handoffs].indexOf(idempotencyKey) + 1}`;
          return { kind: 'opened', conversationId: key, key };
        }),
      ),
      drive(
        openCheckout,
        recording(openCheckout, (_request, { idempotencyKey }) => {
          checkouts.add(idempotencyKey);
          const checkoutId = `checkout-${[...checkouts].indexOf(idempotencyKey) + 1}`;
          return { kind: 'opened', checkoutId, url: `https://pay.example/${checkoutId}` };
        }),
      ),
      drive(
        logEvent,
        recording(logEvent, () => ({ kind: 'done' })),
      ),
    ],
    calls,
    sent,
    answer: api.answer,
    pending: () => [...held],
    forget() {
      held.clear();
      api.forget();
    },
  };
}
