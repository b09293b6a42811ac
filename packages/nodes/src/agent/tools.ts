/** The tools and exits of an agent: what a model sees of them, and how a call becomes an effect. */
import {
  child,
  type EffectRequest,
  type ExpectedInput,
  type ExpectedTool,
  isJsonObject,
  type Json,
  type JsonObject,
  limits,
  parseForeignJson,
  parseJsonText,
  type PerformOptions,
} from '@hilo/engine/contract';
import type { z } from 'zod';
import type { askModel } from '../effects/ask-model.ts';
import { callFunction } from '../effects/call-function.ts';
import { callMcpTool } from '../effects/call-mcp-tool.ts';
import { checkFields } from '../fields/check-fields.ts';
import { fieldsToJsonSchema } from '../fields/describe-fields.ts';
import type { Fields } from '../fields/field.ts';
import { type AgentConfig, exitTool, type Tool } from './config.ts';
import type { Mask } from './mask.ts';
import { withoutInputs } from './tool-schema.ts';

export type OfferedTools = NonNullable<z.output<typeof askModel.request>['tools']>;

/** The tools and exits as a model sees them: the same ones at each call of a visit, until other values are to be hidden. */
export function offering(config: AgentConfig): (mask: Mask) => OfferedTools {
  let last: { readonly values: Mask['values']; readonly tools: OfferedTools } | undefined;
  return (mask) => {
    const { values } = mask;
    if (last?.values !== values) last = { values, tools: offerTools(config, mask) };
    return last.tools;
  };
}

/** The tools and exits without the inputs that a model does not choose. */
function offerTools({ tools, exits }: AgentConfig, mask: Mask): OfferedTools {
  const offer = (name: string, description: string, schema: JsonObject) => ({
    name,
    description: mask.hideText(description),
    inputSchema: hideDescriptions(schema, mask),
  });
  return [
    ...tools.map((tool) =>
      offer(
        tool.name,
        tool.description,
        tool.kind === 'mcp' ? withoutInputs(tool.schema.source, Object.keys(tool.with)) : fieldsToJsonSchema(tool.inputs),
      ),
    ),
    ...exits.map((exit) => offer(exitTool(exit), `Ends the conversation. ${exit.when}`, fieldsToJsonSchema(exit.fields ?? {}))),
  ];
}

/** Hides values in the descriptions of a schema. Names and options are the author's words, which the model must repeat. */
function hideDescriptions(schema: Json, mask: Mask): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map((part) => hideDescriptions(part, mask));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'description' && typeof value === 'string' ? mask.hideText(value) : hideDescriptions(value, mask),
    ]),
  );
}

/** The inputs that a workflow or a function gets as a tool, in the words in which workflows declare theirs. */
export const expectInputs = ({
  inputs,
  with: fixed,
}: Extract<Tool, { readonly kind: 'workflow' | 'function' }>): ExpectedTool['inputs'] => ({
  ...Object.fromEntries(
    Object.entries(inputs).map(([name, field]) => [
      name,
      { type: declaredType(field), isAlways: field.required, field: parseJsonText(JSON.stringify(field)) },
    ]),
  ),
  ...Object.fromEntries(Object.keys(fixed).map((name) => [name, { type: 'any' as const, isAlways: true }])),
});

function declaredType(field: Fields[string]): ExpectedInput['type'] {
  switch (field.type) {
    case 'number':
    case 'boolean':
      return field.type;
    case 'list':
      return 'array';
    case 'option':
      return field.several ? 'array' : 'string';
    default:
      return 'string';
  }
}

export type ReadInput = { readonly kind: 'valid'; readonly values: JsonObject } | { readonly kind: 'invalid'; readonly problem: string };

/** What is wrong with values; `undefined` for nothing. */
export type CheckInput = (values: JsonObject) => string | undefined;

/** The check of the fields of an exit, or of a tool that has fields. */
export const checkingFields =
  (fields: Fields): CheckInput =>
  (values) => {
    const checked = checkFields(fields, values);
    return checked.kind === 'valid' ? undefined : checked.problems.map(({ message }) => message).join(' ');
  };

/** The check of what a model gives a tool. What the author fills in himself is no input of the model. */
export function checkingInput(tool: Tool): CheckInput {
  if (tool.kind !== 'mcp') return checkingFields(tool.inputs);
  const { schema, with: fixed } = tool;
  return (values) => schema.problem(values, Object.keys(fixed));
}

/** The input of a call with its hidden values, checked. */
export function readInput(input: string, findProblem: CheckInput, mask: Mask): ReadInput {
  const given = input.trim() === '' ? {} : parseForeignJson(input, limits);
  if (given === undefined) return { kind: 'invalid', problem: 'The input is no JSON.' };
  if (!isJsonObject(given)) return { kind: 'invalid', problem: 'The input is no JSON object.' };
  const values = mask.show(given);
  if (!isJsonObject(values)) return { kind: 'invalid', problem: 'The input is no JSON object.' };
  const problem = findProblem(values);
  return problem === undefined ? { kind: 'valid', values } : { kind: 'invalid', problem };
}

/** The output of a tool for a model. */
export interface ToolOutput {
  readonly output: Json;
  readonly isError: boolean;
  /** How long the call took, where its driver says so; else the time that it may take counts. */
  readonly tookMs?: number;
}

/** A call as an effect, and what a model reads of its result. */
export interface ToolCall {
  readonly effect: EffectRequest<never>;
  readonly read: (result: never) => ToolOutput;
  readonly options: PerformOptions;
}

/** The driver answers within the time of the call: the engine waits this much longer, so that the model reads why. */
export const graceMs = 2_000;

const unknownOutcome = 'It is unknown whether this happened: do not repeat it.';

/** @param mask - hides from a server outside what it may not get */
export function callTool(tool: Tool, inputs: JsonObject, timeoutMs: number, mask: Mask): ToolCall {
  switch (tool.kind) {
    case 'workflow': {
      const { workflowId, version } = tool;
      const request = { workflowId, ...(version !== undefined && { version }), inputs, inheritWebhook: false, dueInMs: timeoutMs };
      return toolCall(child(request), (result) => {
        if (result.kind === 'completed') return { output: result.outputs, isError: false };
        if (result.kind === 'timeout') return failed('TIMEOUT', `It did not end in time. ${unknownOutcome}`);
        return failed(result.cause, result.message);
      });
    }
    case 'function': {
      const { functionId, tool: name } = tool;
      const request = { functionId, body: inputs, ...(name !== undefined && { tool: name }), timeoutMs };
      const deadline = { appliedMs: timeoutMs + graceMs, cause: 'TIMEOUT' };
      return toolCall(
        callFunction(request),
        (result) => {
          if (result.kind === 'returned') return { output: result.value, isError: false };
          return failed(result.reason, result.outcome === 'unknown' ? `${result.message} ${unknownOutcome}` : result.message);
        },
        { deadline },
      );
    }
    case 'mcp': {
      const { url, auth, tool: name, sees } = tool;
      const seen = mask.hideFrom(inputs, sees);
      const request = {
        url,
        ...(auth !== undefined && { credentialId: auth.credentialId }),
        tool: name,
        input: isJsonObject(seen) ? seen : {},
        timeoutMs,
      };
      const deadline = { appliedMs: timeoutMs + graceMs, cause: 'TIMEOUT' };
      return toolCall(
        callMcpTool(request),
        (result) => {
          const { tookMs } = result;
          if (result.kind === 'returned') return { output: result.content, isError: result.isError, tookMs };
          const { reason, message, outcome } = result;
          return { ...failed(reason, outcome === 'unknown' ? `${message} ${unknownOutcome}` : message), tookMs };
        },
        { deadline },
      );
    }
  }
}

/** Forgets which result belongs to which effect: the two of one call stay together. */
const toolCall = <Result>(effect: EffectRequest<Result>, read: (result: Result) => ToolOutput, options: PerformOptions = {}): ToolCall => ({
  effect: effect as EffectRequest<never>,
  read,
  options,
});

const failed = (cause: string, message: string): ToolOutput => ({ output: { cause, message }, isError: true });

/** The longest output that a model reads, in characters of JSON. */
const outputChars = 8_000;

/** An output within bounds: of a longer one the beginning, as a text. */
export function boundOutput(output: Json): Json {
  const text = JSON.stringify(output);
  return text.length <= outputChars ? output : `${text.slice(0, outputChars).toWellFormed()} (cut: it has ${text.length} characters)`;
}
