// Calls that wait until a line of a script answers them.
import { type DriverContext, type EffectDefinition, HiloError, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { httpRequest } from '@hilo/nodes/effects';
import type { RecordedCall } from './recorded-call.ts';
import { createOpenCalls, type GivenAnswer, type OpenCalls } from './scripted-api.ts';
import { createOwnEffect, type ScriptedEffect, scriptedEffects } from './scripted-effects.ts';

/** An effect whose results a script gives, with its pending calls. */
export type OpenEffect = ScriptedEffect & {
  /** Which call of the effect this is, by idempotency key: the same call again has the same number (P4). */
  readonly numbers: Map<string, number>;
  readonly open: OpenCalls;
};

interface ScriptedCallsOptions {
  /** Effects of own nodes that nothing performs here. */
  readonly asks: readonly EffectDefinition[];
  /** Answers a call that would be pending; it stays pending for `undefined`. */
  readonly answers: (call: RecordedCall) => Json | undefined;
  readonly onOutcome: ((call: RecordedCall, outcome: Json) => void) | undefined;
}

export function createScriptedCalls({ asks, answers, onOutcome }: ScriptedCallsOptions) {
  const held = new Set<RecordedCall>();
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

  const findScripted = (effect: string): OpenEffect => {
    const one = scripted.get(effect);
    if (one === undefined)
      throw new HiloError('INVALID_SCRIPT', {
        reason: `Nothing asks for an answer of "${effect}" here: ${[...scripted.keys()].join(', ')} can be answered`,
      });
    return one;
  };

  return {
    effects: [...scripted.values()],
    api,
    hold,
    ask,
    find: findScripted,
    /** @throws {HiloError} `INVALID_SCRIPT` for an answer that does not fit the effect, and for an effect that takes no answers */
    answerCall(effect: string, answer: Json): 'answered' | 'kept' {
      const one = findScripted(effect);
      if (answer === 'throws') return one.open.answer({ kind: 'throws' });
      const { success, error } = one.effect.result.safeParse(isJsonObject(answer) ? one.complete(answer, 1) : answer);
      if (success) return one.open.answer({ kind: 'result', result: answer } satisfies GivenAnswer);
      const { message = '', path = [] } = error.issues[0] ?? {};
      throw new HiloError('INVALID_SCRIPT', {
        reason: `That is no answer of ${effect}${path.length === 0 ? '' : ` at "${path.join('.')}"`}: ${message}. One is, for example: ${one.example({})}`,
      });
    },
    pending: (): readonly RecordedCall[] => [...held],
    exampleFor({ effect, request }: RecordedCall): string | undefined {
      if (effect === httpRequest.type) return 'api: 200 {"ok":true}';
      return scripted.get(effect)?.example(isJsonObject(request) ? request : {});
    },
    forget(): void {
      held.clear();
      api.forget();
      for (const { open } of scripted.values()) open.forget();
    },
  };
}
