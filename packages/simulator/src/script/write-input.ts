import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { ApiAnswer } from '../simulation/scripted-api.ts';
import { answerForms } from './answer-lines.ts';
import { textToLine, writeDuration } from './line-text.ts';
import { hasQuery } from './read-input.ts';
import { type CallbackInput, formValues, type ScriptInput, sentMessageNumber, type WebhookInput } from './script-input.ts';

/** An input as the line of a script that reads back as the same. */
export function writeInput(input: ScriptInput): string {
  switch (input.kind) {
    case 'says':
      return saidLine(input.message);
    case 'places':
      return `place: ${JSON.stringify(input.place)}`;
    case 'campaign':
      return `campaign: ${textToLine(input.id)}`;
    case 'repeats':
      return 'again';
    case 'webhook':
      return webhookLine(input.call);
    case 'calls':
      return `callback${named(input.nodeId)}: ${requestText(input.request)}`;
    case 'passes':
      return `time: +${writeDuration(input.durationMs)}`;
    case 'apiAnswers':
      return `api: ${answerLine(input.answer)}`;
    case 'answers':
      return answersLine(input);
    case 'operator':
      return `operator: ${input.act.does}${input.act.does === 'says' ? ` ${textToLine(input.act.text)}` : ''}`;
    case 'refuses':
      return `refused${named(input.nodeId)}: ${input.cause}${input.message === undefined ? '' : ` ${textToLine(input.message)}`}`;
    case 'closesWindow':
      return `window${named(input.nodeId)}: closed`;
    case 'starts':
      return startLine(input);
    case 'signals':
      return `signal: ${signalLine(input)}`;
    case 'cancels':
      return input.executionId === undefined ? 'cancel' : `cancel ${input.executionId}`;
    case 'restarts':
      return 'restart';
  }
}

/** A name is followed by something: a colon at the end would be read as a part of it. */
const startLine = ({ workflowId, inputs }: Extract<ScriptInput, { readonly kind: 'starts' }>): string =>
  workflowId === undefined && Object.keys(inputs).length === 0 ? 'start:' : `start${named(workflowId)}: ${JSON.stringify(inputs)}`;

const named = (name: string | undefined): string => (name === undefined ? '' : ` ${name}`);

function saidLine(message: JsonObject): string {
  const values = formValues(message);
  if (values !== undefined) return `form: ${JSON.stringify(values)}`;
  const { replyTo, ...others } = message;
  const number = sentMessageNumber(replyTo);
  return (number === undefined ? `user: ${messageLine(message)}` : `reply ${number}: ${messageLine(others)}`).trimEnd();
}

function messageLine(message: JsonObject): string {
  const { type, text, payload, ...others } = message;
  const isPlain = Object.keys(others).length === 0;
  if (isPlain && type === 'text' && typeof text === 'string' && payload === undefined) return textToLine(text, '{[');
  if (isPlain && type === 'button' && typeof payload === 'string' && (text === undefined || (typeof text === 'string' && text !== ''))) {
    return `[payload ${textToLine(payload).replaceAll(']', '\\u005d')}] ${text === undefined ? '' : textToLine(text)}`.trimEnd();
  }
  return JSON.stringify(message);
}

function webhookLine({ workflowId, nodeId, ...request }: WebhookInput): string {
  const target = workflowId === undefined && nodeId === undefined ? '' : ` ${workflowId ?? ''}${nodeId === undefined ? '' : `/${nodeId}`}`;
  return `webhook${target}: ${requestText(request)}`;
}

function requestText({ method = 'POST', body, query, headers, idempotencyKey }: CallbackInput): string {
  const [main, other] = hasQuery(method) ? [query, part('body', body)] : [body, part('query', query)];
  const first = main === undefined ? '' : ` ${JSON.stringify(main)}`;
  return `${method}${first}${other}${part('headers', headers)}${part('key', idempotencyKey)}`;
}

function answersLine({ effect, answer }: Extract<ScriptInput, { readonly kind: 'answers' }>): string {
  for (const [verb, form] of answerForms) {
    const line = form.effect === effect && isJsonObject(answer) ? form.write(answer) : undefined;
    if (line !== undefined) return `${verb}: ${line}`;
  }
  return `answer ${effect}: ${JSON.stringify(answer)}`;
}

function answerLine(answer: ApiAnswer): string {
  if (typeof answer === 'string') return answer;
  const { status, body, headers } = answer;
  return `${status}${body === undefined ? '' : ` ${JSON.stringify(body)}`}${part('headers', headers)}`;
}

const part = (name: string, value: Json | undefined): string => (value === undefined ? '' : ` ${name} ${JSON.stringify(value)}`);

function signalLine({ name, correlation, payload }: Extract<ScriptInput, { readonly kind: 'signals' }>): string {
  const words = [word(name), ...(correlation === '' && payload === null ? [] : [word(correlation)])];
  return [...words, ...(payload === null ? [] : [JSON.stringify(payload)])].join(' ');
}

/** A word, quoted where it would otherwise not be one word. */
const word = (text: string): string => (/^[^\s"{[\p{Cc}\p{Cs}][^\s\p{Cc}\p{Cs}]*$/u.test(text) ? text : JSON.stringify(text));
