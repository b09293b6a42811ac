/** What a model may answer: for scripts of one conversation, and the alphabet of an adversary for an agent. */
import { divideData, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { agent as agentNode } from '@hilo/nodes';
import { samplesOfSchema } from '@hilo/nodes/effects';

/** A result of `model.ask`, whole. */
export type ModelAnswer = JsonObject;

type Finish = 'stop' | 'length' | 'refused' | 'tools' | 'other';

const answer = (text: string, finish: Finish, calls?: readonly JsonObject[]): ModelAnswer => ({
  kind: 'answered',
  text,
  ...(calls !== undefined && { calls }),
  finish,
  usage: { inputTokens: 100, outputTokens: 10 },
  tookMs: 1,
});

/** The model answers with a text; with another `finish`, one that is cut off or a refusal. */
export const modelSays = (text: string, finish: Finish = 'stop'): ModelAnswer => answer(text, finish);

/** The model calls tools: each by its name with its input, which is JSON or the text of the model as it is. */
export const modelCalls = (...calls: readonly (readonly [tool: string, input: JsonObject | string])[]): ModelAnswer =>
  answer(
    '',
    'tools',
    calls.map(([tool, input], index) => ({ id: `c${index + 1}`, tool, input: typeof input === 'string' ? input : JSON.stringify(input) })),
  );

/** The model leaves by an exit. */
export const modelExits = (name: string, fields: JsonObject = {}): ModelAnswer => modelCalls([`exit_${name}`, fields]);

/** The model gives no answer. */
export const modelFails = (reason: string): ModelAnswer => ({ kind: 'failed', reason, message: 'It failed', tookMs: 1 });

/** The settings of an agent. Named after the node, so that the types of this package need no zod. */
type AgentConfig = ReturnType<typeof agentNode.config.parse>;

/** The config of an agent of a canvas. @throws {RangeError} when there is none of this id */
export function agentConfigOf(canvas: JsonObject, agentId: string): AgentConfig {
  const nodes = Array.isArray(canvas['nodes']) ? (canvas['nodes'] as readonly Json[]).filter(isJsonObject) : [];
  const node = nodes.find(({ id, type }) => id === agentId && type === agentNode.type);
  if (node === undefined) throw new RangeError(`There is no agent "${agentId}" in this canvas`);
  return agentNode.config.parse(divideData(isJsonObject(node['data']) ? node['data'] : {}).config);
}
/** The tools that a model of this agent is offered, as it sees them. */
function offered(config: AgentConfig): readonly { readonly name: string; readonly inputSchema: Json }[] {
  const begun = agentNode.run({
    config: { ...config, opening: undefined, facts: undefined },
    variables: { get: () => undefined },
    trigger: undefined,
    isConnected: () => true,
    random: () => 0,
    nowMs: 0,
    memo: null,
    channel: 'whatsapp',
    hold: undefined,
  });
  const request = begun.kind === 'perform' ? begun.effect.request : {};
  const tools = isJsonObject(request) && Array.isArray(request['tools']) ? (request['tools'] as readonly Json[]).filter(isJsonObject) : [];
  return tools.map(({ name, inputSchema }) => ({ name: String(name as string), inputSchema: inputSchema ?? {} }));
}

/** Right and wrong inputs for a schema. */
function inputsFor(schema: Json): readonly string[] {
  const right = samplesOfSchema(schema, [])[0] ?? null;
  const fields: JsonObject = isJsonObject(right) ? right : {};
  const [first] = Object.keys(fields);
  if (first === undefined) return ['{}', '{"more":1}', 'no JSON'];
  const { [first]: _left, ...without } = fields;
  return [JSON.stringify(fields), JSON.stringify(without), JSON.stringify({ ...fields, [first]: { wrong: true } }), '{"', '[]'];
}

/**
 * Every kind of answer that a model of this agent may give: texts, refusals, failures, each tool and exit with right and wrong inputs, tools
 * that are not there, and several calls at once.
 */
export function modelAlphabet(config: AgentConfig): readonly ModelAnswer[] {
  const tools = offered(config);
  const right = tools.map(({ name, inputSchema }) => [name, inputsFor(inputSchema)[0] ?? '{}'] as const);
  const pairs = right.flatMap((one) => right.filter((other) => other !== one).map((other) => [one, other] as const));
  return [
    modelSays('Hello.'),
    modelSays('I write [[v1]] and [[v9]].'),
    modelSays(''),
    modelSays('cut', 'length'),
    modelSays('No.', 'refused'),
    modelFails('unavailable'),
    modelFails('rejected'),
    ...tools.flatMap(({ name, inputSchema }) => inputsFor(inputSchema).map((input) => modelCalls([name, input]))),
    modelCalls(['unknown', '{}']),
    modelCalls(['__proto__', '{"__proto__":{"polluted":true}}']),
    ...pairs.map((pair) => modelCalls(...pair)),
    ...right.slice(0, 1).map((one) => modelCalls(...Array.from({ length: config.limits.toolCalls + 1 }, () => one))),
  ];
}
