// Effects that a script or a user answers.
import { type EffectDefinition, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import {
  answersToInstructions,
  askModel,
  callDatabase,
  callFunction,
  callMcpTool,
  callSoap,
  openCheckout,
  runCode,
  samplesOfSchema,
} from '@hilo/nodes/effects';

/** An effect that a simulation does not perform: a script, or a user, gives its results. */
export interface ScriptedEffect {
  readonly effect: EffectDefinition;
  /** The keyword of the script line that answers it: `model: {"topic":"order"}`. */
  readonly verb: string;
  /** A line of a script that would answer this request. */
  readonly example: (request: JsonObject) => string;
  /** Fills what a short answer leaves out. @param number - counts the calls of this effect, from 1 */
  readonly complete: (answer: JsonObject, number: number) => JsonObject;
}

const anyEffect = (effect: unknown): EffectDefinition => effect as EffectDefinition; // with its types erased

/** A failure without a message of its own. */
const simulatedFailure = { message: 'The simulated call was told to fail' };

/** A call has an id, by which its output is told from those of others. */
function completeModelAnswer(answer: JsonObject, number: number): JsonObject {
  if (answer['kind'] === 'failed') return { ...simulatedFailure, tookMs: 0, ...answer };
  const { calls } = answer;
  if (!Array.isArray(calls)) return { finish: 'stop', usage: {}, tookMs: 0, ...answer };
  const named = (calls as readonly Json[]).map((call, index) =>
    isJsonObject(call) ? { id: `call-${number}-${index + 1}`, input: '{}', ...call } : call,
  );
  return { finish: 'tools', usage: {}, tookMs: 0, ...answer, calls: named };
}

/** Effects of the standard nodes whose results a script gives; `http.request` is not among them, since `api:` answers it. */
export const scriptedEffects: readonly ScriptedEffect[] = [
  {
    effect: anyEffect(askModel),
    verb: 'model',
    example: (request) =>
      'tools' in request ? 'model: "Hello."' : `model: ${answersToInstructions(findInstructions(request))[0] ?? '{}'}`,
    complete: completeModelAnswer,
  },
  {
    effect: anyEffect(callFunction),
    verb: 'function',
    example: () => 'function: {"ok":true}',
    complete: (answer) => (answer['kind'] === 'failed' ? { ...simulatedFailure, ...answer } : answer),
  },
  {
    effect: anyEffect(callMcpTool),
    verb: 'mcp',
    example: () => 'mcp: {"ok":true}',
    complete: (answer) =>
      answer['kind'] === 'failed' ? { ...simulatedFailure, tookMs: 0, ...answer } : { isError: false, tookMs: 0, ...answer },
  },
  {
    effect: anyEffect(callDatabase),
    verb: 'database',
    example: exampleOfDatabase,
    complete: (answer) => (answer['kind'] === 'failed' ? { ...simulatedFailure, outcome: 'failed', ...answer } : answer),
  },
  {
    effect: anyEffect(callSoap),
    verb: 'soap',
    example: () => 'soap: 200 {"ok":true}',
    complete: (answer) =>
      answer['kind'] === 'fault' && !('response' in answer) ? { ...answer, response: { status: 500, headers: {}, body: null } } : answer,
  },
  {
    effect: anyEffect(openCheckout),
    verb: 'payment',
    example: () => 'payment: opened',
    complete(answer, number) {
      const checkoutId = `checkout-${number}`;
      if (answer['kind'] === 'opened') return { checkoutId, url: `https://pay.example/${checkoutId}`, ...answer };
      return answer['kind'] === 'failed' ? { ...simulatedFailure, outcome: 'failed', ...answer } : { ...simulatedFailure, ...answer };
    },
  },
  {
    effect: anyEffect(runCode),
    verb: 'code',
    example: () => 'code: null',
    complete: (answer) => (answer['kind'] === 'failed' ? { ...simulatedFailure, ...answer } : answer),
  },
];

/** An effect of an own node, which is answered with its whole result. */
export const createOwnEffect = (effect: EffectDefinition): ScriptedEffect => ({
  effect,
  verb: `answer ${effect.type}`,
  example: () => `answer ${effect.type}: ${JSON.stringify(samplesOfResult(effect)[0] ?? null)}`,
  complete: (answer) => answer,
});

/** The rows, or the number of changed rows, that the answer needs. */
function exampleOfDatabase(request: JsonObject): string {
  switch (request['operation']) {
    case 'create':
      return 'database: 1 key {"id":1}';
    case 'update':
    case 'delete':
      return 'database: 1';
    default: {
      const row = findRequestedRow(request);
      return `database: ${JSON.stringify([Object.keys(row).length === 0 ? { id: 1 } : row])}`;
    }
  }
}

/** Results that fit the effect's schema, as far as JSON Schema can express it. */
export const samplesOfResult = ({ result }: EffectDefinition, wanted: readonly Json[] = []): readonly Json[] =>
  samplesOfSchema(result.toJSONSchema({ unrepresentable: 'any' }) as JsonObject, wanted);

/** An answer without what `complete` would fill in with the same. */
export function shortenAnswer({ complete }: Pick<ScriptedEffect, 'complete'>, answer: Json, number = 1): Json {
  if (!isJsonObject(answer)) return answer;
  let short: JsonObject = answer;
  for (const name of Object.keys(answer)) {
    const { [name]: dropped, ...others } = short;
    if (JSON.stringify(complete(others, number)[name]) === JSON.stringify(dropped)) short = others;
  }
  return short;
}

/** The row that a request for a database looks for, with the columns that it names. */
function findRequestedRow({ where }: JsonObject): JsonObject {
  const conditions = Array.isArray(where) ? (where as readonly Json[]).filter(isJsonObject) : [];
  return Object.fromEntries(conditions.map(({ column, value }) => [typeof column === 'string' ? column : '', value ?? null]));
}

/** The system message for a model, with the schema of its answer. */
function findInstructions({ messages }: JsonObject): string {
  const [first] = Array.isArray(messages) ? (messages as readonly Json[]) : [];
  return isJsonObject(first) && typeof first['text'] === 'string' ? first['text'] : '';
}
