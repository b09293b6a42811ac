import { isJsonObject, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { askModel, callDatabase, callFunction, callMcpTool, callSoap, openCheckout, runCode } from '@hilo/nodes/effects';
import { unreachableReasons } from '../simulation/scripted-api.ts';
import { lineToText, textToLine } from './line-text.ts';
import { readModelAnswer, writeModelAnswer } from './model-lines.ts';

/** The script line that answers a call of an effect: `model: {"topic":"order"}`, `database: 1 key {"id":7}`. */
export interface AnswerForm {
  readonly effect: string;
  /** @returns `undefined` when the line is no such answer */
  readonly read: (rest: string) => JsonObject | undefined;
  /** @returns `undefined` for an answer that has no short line */
  readonly write: (answer: JsonObject) => string | undefined;
  /** The expected form, for error messages. */
  readonly expected: string;
}

/** By the keyword at the beginning of the line. */
export const answerForms: ReadonlyMap<string, AnswerForm> = new Map([
  [
    'model',
    {
      effect: askModel.type,
      expected:
        'what the model says, as JSON or a text in quotes, or calls of tools, an exit, a refusal, or "fails" with a reason: model: {"topic":"order"}, model: calls stock {"sku":"A"}, model: exits ordered {"number":"O-1"}, model: refuses "No.", model: fails timeout',
      read: (rest) => readModelAnswer(rest) ?? readFailure(rest),
      write: (answer) => writeModelAnswer(answer) ?? failureLine(answer),
    },
  ],
  ['function', createReturnForm(callFunction.type, 'function')],
  ['code', createReturnForm(runCode.type, 'code')],
  ['mcp', createReturnForm(callMcpTool.type, 'mcp', 'content')],
  [
    'database',
    {
      effect: callDatabase.type,
      expected: 'rows, or the number of rows that changed, or "fails" with a reason: database: [{"id":1}], database: 1 key {"id":1}',
      read(rest) {
        const [, count, key] = /^(\d{1,15})(?: key (.*))?$/su.exec(rest.trim()) ?? [];
        if (count !== undefined) {
          const keyed = key === undefined ? {} : parseJson(key);
          if (keyed === undefined || !isJsonObject(keyed)) return undefined;
          return { kind: 'changed', affectedRows: Number(count), ...(key !== undefined && { key: keyed }) };
        }
        const rows = parseJson(rest);
        return Array.isArray(rows) ? { kind: 'rows', rows } : readFailure(rest);
      },
      write(answer) {
        const { kind, rows, affectedRows, key, ...others } = answer;
        if (Object.keys(others).length > 0) return failureLine(answer);
        if (kind === 'rows' && Array.isArray(rows) && affectedRows === undefined && key === undefined) return JSON.stringify(rows);
        if (kind !== 'changed' || typeof affectedRows !== 'number' || rows !== undefined) return undefined;
        if (!Number.isSafeInteger(affectedRows) || affectedRows < 0 || affectedRows >= 1e15) return undefined;
        return key === undefined ? `${affectedRows}` : isJsonObject(key) ? `${affectedRows} key ${JSON.stringify(key)}` : undefined;
      },
    },
  ],
  [
    'soap',
    {
      effect: callSoap.type,
      expected: `a status with the body of the envelope, "fault" with a code, or one of ${unreachableReasons.join(', ')}: soap: 200 {"price":5}`,
      read(rest) {
        const text = rest.trim();
        const reason = unreachableReasons.find((name) => name === text.replace(/^fails /, ''));
        if (reason !== undefined) return { kind: 'unreachable', reason };
        const [, faultCode, message = ''] = /^fault (\S+)(?: (.*))?$/su.exec(text) ?? [];
        if (faultCode !== undefined) return { kind: 'fault', fault: { code: faultCode, message: lineToText(message) } };
        const [, status, body = 'null'] = /^(\d{3})(?: (.*))?$/su.exec(text) ?? [];
        const value = parseJson(body);
        if (status === undefined || value === undefined) return undefined;
        return { kind: 'response', response: { status: Number(status), headers: {}, body: value } };
      },
      write({ kind, reason, fault, response, ...others }) {
        if (Object.keys(others).length > 0) return undefined;
        if (kind === 'unreachable') return unreachableReasons.find((name) => name === reason);
        if (kind === 'fault' && isJsonObject(fault) && response === undefined) return faultLine(fault);
        if (kind !== 'response' || !isJsonObject(response) || reason !== undefined || fault !== undefined) return undefined;
        const { status, headers, body, ...more } = response;
        const isPlain = isJsonObject(headers) && Object.keys(headers).length === 0 && Object.keys(more).length === 0;
        if (!isPlain || typeof status !== 'number' || !/^\d{3}$/.test(String(status))) return undefined;
        return `${status} ${JSON.stringify(body ?? null)}`;
      },
    },
  ],
  [
    'payment',
    {
      effect: openCheckout.type,
      expected:
        '"opened", "refused" with a cause, or "fails" with a reason: payment: opened. How it ends then is a signal: payment CHECKOUT {"status":"approved"}',
      read(rest) {
        const text = rest.trim();
        if (text === 'opened') return { kind: 'opened' };
        const [, cause, message] = /^refused (\S+)(?: (.+))?$/su.exec(text) ?? [];
        if (cause === undefined) return readFailure(rest);
        return { kind: 'refused', cause, ...(message !== undefined && { message: lineToText(message) }) };
      },
      write(answer) {
        const { kind, cause, message, ...others } = answer;
        if (kind === 'opened' && Object.keys(answer).length === 1) return 'opened';
        if (kind !== 'refused' || typeof cause !== 'string' || !isWord(cause) || Object.keys(others).length > 0) return failureLine(answer);
        return withMessage(`refused ${cause}`, message);
      },
    },
  ],
] satisfies readonly (readonly [string, AnswerForm])[]);

/** The form of an effect that returns any value, or fails. @param field - that has the value */
function createReturnForm(effect: string, verb: string, field: 'value' | 'content' = 'value'): AnswerForm {
  return {
    effect,
    expected: `what the ${verb} returns, as JSON, or "fails" with a reason: ${verb}: {"ok":true}`,
    read(rest) {
      const value = parseJson(rest);
      return value === undefined ? readFailure(rest) : { kind: 'returned', [field]: value };
    },
    write(answer) {
      const { kind, [field]: value, ...others } = answer;
      return kind === 'returned' && value !== undefined && Object.keys(others).length === 0 ? JSON.stringify(value) : failureLine(answer);
    },
  };
}

/** `fails timeout`, with an optional message. */
function readFailure(rest: string): JsonObject | undefined {
  const [, reason, message] = /^fails (\S+)(?: (.+))?$/su.exec(rest.trim()) ?? [];
  return reason === undefined ? undefined : { kind: 'failed', reason, ...(message !== undefined && { message: lineToText(message) }) };
}

function failureLine({ kind, reason, message, ...others }: JsonObject): string | undefined {
  if (kind !== 'failed' || typeof reason !== 'string' || !isWord(reason) || Object.keys(others).length > 0) return undefined;
  return withMessage(`fails ${reason}`, message);
}

function faultLine({ code, message, ...others }: JsonObject): string | undefined {
  if (typeof code !== 'string' || !isWord(code) || Object.keys(others).length > 0) return undefined;
  return message === '' ? `fault ${code}` : withMessage(`fault ${code}`, message ?? null);
}

/** A line with its optional message; an empty message cannot be written. */
const withMessage = (line: string, message: Json | undefined): string | undefined => {
  if (message === undefined) return line;
  return typeof message === 'string' && message !== '' ? `${line} ${textToLine(message)}` : undefined;
};

const isWord = (text: string): boolean => /^[\w.-]+$/.test(text);

function parseJson(text: string): Json | undefined {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
