// Fields of `$message` that not every message has: the check warns where a message of any kind may have led to the node that reads one.
import { checkCanvasText } from '@hilo/engine';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { InboundMessage } from '../src/messages/inbound-message.ts';
import { standardNodes } from '../src/index.ts';

const done = { id: 'done', type: 'end' };
const say = (text: string, id = 'say') => ({ id, type: 'message', data: { message: { type: 'text', text } } });
const edge = (source: string, sourceHandle: string, target: string) => ({ source, sourceHandle, target });

/** What the check says of missing variables, by node and severity. */
function check(nodes: readonly Json[], edges: readonly Json[]): readonly string[] {
  const canvas = { schemaVersion: 1, id: 'echo', name: 'echo', nodes, edges };
  return checkCanvasText(JSON.stringify(canvas), { nodes: standardNodes })
    .filter(({ code, severity }) => code === 'UNWRITTEN_VARIABLE' || severity === 'error')
    .map(({ severity, nodeId, code }) => `${severity} ${code} ${nodeId}`);
}

const echo = (start: JsonObject, text: string) =>
  check([{ id: 'begin', type: 'start', data: start }, say(text), done], [edge('begin', 'next', 'say'), edge('say', 'sent', 'done')]);

const warned = ['warning UNWRITTEN_VARIABLE say'];

describe('a field of $message', () => {
  it('is known to the check exactly where it is one of a message of any channel', () => {
    const unknown = (field: string) =>
      checkCanvasText(
        JSON.stringify({
          schemaVersion: 1,
          id: 'echo',
          name: 'echo',
          nodes: [{ id: 'begin', type: 'start' }, say(`{{$message.${field} ?? ""}}`), done],
          edges: [edge('begin', 'next', 'say'), edge('say', 'sent', 'done')],
        }),
        { nodes: standardNodes },
      ).some(({ code }) => code === 'UNKNOWN_VARIABLE_FIELD');
    for (const field of [...Object.keys(InboundMessage.shape), 'at']) expect([field, unknown(field)]).toEqual([field, false]);
    for (const field of ['txt', 'reply_to', 'orders', 'toString', 'constructor', 'zzz'])
      expect([field, unknown(field)]).toEqual([field, true]);
  });

  it.each(['text', 'payload', 'mediaUrl', 'coordinates.lat', 'order', 'referral', 'replyTo'])(
    'may be missing after a fallback: %s',
    (field) => {
      expect(echo({ fallback: true }, `You said: {{$message.${field}}}`)).toEqual(warned);
      expect(echo({ fallback: true, keywords: ['hi'] }, `{{upper($message.${field})}}`)).toEqual(warned);
    },
  );

  it.each([
    '{{$message.text ?? ""}}',
    '{{has($message.text) ? $message.text : "a picture"}}',
    '{{$message.type}}',
    '{{$message.id}} {{$message.at}}',
  ])('is there after a fallback, or has a default: %s', (text) => expect(echo({ fallback: true }, text)).toEqual([]));

  it.each([{ keywords: ['hi'] }, { payloads: ['HI'] }, {}])('is taken to be there after the start %j, which names its messages', (start) =>
    expect(echo(start, 'You said: {{$message.text}}')).toEqual([]),
  );

  const ask = { id: 'ask', type: 'ask', data: { message: { type: 'text', text: 'Well?' }, input: { kind: 'text' }, timeout: 'PT1H' } };
  const begin = { id: 'begin', type: 'start', data: { fallback: true } };

  it('is that of the answer once the user has answered, and of the message before where nobody did', () => {
    const edges = [edge('begin', 'next', 'ask'), edge('ask', 'answered', 'say'), edge('say', 'sent', 'done')];
    const others = ['invalid', 'timeout', 'error'].map((port) => edge('ask', port, 'done'));
    expect(check([begin, ask, say('{{$message.text}}'), done], [...edges, ...others])).toEqual([]);
    const late = ['answered', 'invalid', 'error'].map((port) => edge('ask', port, 'done'));
    const afterTimeout = [edge('begin', 'next', 'ask'), edge('ask', 'timeout', 'say'), edge('say', 'sent', 'done'), ...late];
    expect(check([begin, ask, say('{{$message.text}}'), done], afterTimeout)).toEqual(warned);
  });

  it('is that of the reply in the message after an invalid reply', () => {
    const data = { ...ask.data, input: { kind: 'number' }, invalidMessage: '"{{$message.text}}" is no number' };
    const edges = ['answered', 'invalid', 'timeout', 'error'].map((port) => edge('ask', port, 'done'));
    expect(check([begin, { ...ask, data }, done], [edge('begin', 'next', 'ask'), ...edges])).toEqual([]);
  });

  it('is there on the way of a condition that asks for it', () => {
    const rule = { op: 'exists', left: '$message.text' };
    const nodes = [begin, { id: 'if', type: 'condition', data: { branches: [{ name: 'yes', rule }] } }, say('{{$message.text}}'), done];
    const edges = [edge('begin', 'next', 'if'), edge('if', 'yes', 'say'), edge('if', 'else', 'done'), edge('say', 'sent', 'done')];
    expect(check(nodes, edges)).toEqual([]);
    expect(
      check(nodes, [edge('begin', 'next', 'if'), edge('if', 'yes', 'done'), edge('if', 'else', 'say'), edge('say', 'sent', 'done')]),
    ).toEqual(warned);
  });
});
