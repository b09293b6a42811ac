import { describe, expect, it } from 'vitest';
import { readCommand, type RunCommand } from './command.ts';

const choices = [
  { port: 'yes', title: 'Yes, please', payload: 'yes' },
  { port: 'no', title: 'No', payload: 'no' },
];
const says = (message: object): RunCommand => ({ kind: 'input', input: { kind: 'says', message: message as never } });

describe('readCommand', () => {
  it('reads a text as a message of the user', () => {
    expect(readCommand('  Hello there ', choices)).toEqual(says({ type: 'text', text: 'Hello there' }));
  });

  it('reads a number as the option with that number, if there is one', () => {
    expect(readCommand('1', choices)).toEqual(says({ type: 'button', payload: 'yes', text: 'Yes, please' }));
    expect(readCommand('3', choices)).toEqual(says({ type: 'text', text: '3' }));
    expect(readCommand('0', choices)).toEqual(says({ type: 'text', text: '0' }));
    expect(readCommand('1', [])).toEqual(says({ type: 'text', text: '1' }));
  });

  it('sends any text by /say', () => {
    expect(readCommand('/say 1', choices)).toEqual(says({ type: 'text', text: '1' }));
    expect(readCommand('/say /state', choices)).toEqual(says({ type: 'text', text: '/state' }));
  });

  it.each([
    ['/webhook', { method: 'POST' }],
    ['/webhook {"a":1}', { method: 'POST', body: { a: 1 } }],
    ['/webhook get {"a":1}', { method: 'GET', query: { a: 1 } }],
    ['/webhook PUT', { method: 'PUT' }],
    ['/webhook other: POST {"a":1}', { method: 'POST', body: { a: 1 }, workflowId: 'other' }],
    ['/webhook {"a":1} query {"b":"2"}', { method: 'POST', body: { a: 1 }, query: { b: '2' } }],
  ])('reads %s', (line, call) => {
    expect(readCommand(line, [])).toEqual({ kind: 'input', input: { kind: 'webhook', call } });
  });

  it.each([
    ['/time +2h', { kind: 'passes', durationMs: 7_200_000 }],
    ['/api 200 {"ok":true}', { kind: 'apiAnswers', answer: { status: 200, body: { ok: true } } }],
    ['/api timeout', { kind: 'apiAnswers', answer: 'timeout' }],
    ['/signal paid order-7 {"amount":5}', { kind: 'signals', name: 'paid', correlation: 'order-7', payload: { amount: 5 } }],
    ['/cancel', { kind: 'cancels' }],
    ['/again', { kind: 'repeats' }],
    ['/campaign spring', { kind: 'campaign', id: 'spring' }],
    ['/place {"timeZone":"America/Lima"}', { kind: 'places', place: { timeZone: 'America/Lima' } }],
  ])('reads %s as a script does', (line, input) => {
    expect(readCommand(line, [])).toEqual({ kind: 'input', input });
  });

  it.each([
    ['/time', { kind: 'show', what: 'time' }],
    ['/time next', { kind: 'skip' }],
    ['/state', { kind: 'show', what: 'state' }],
    ['/start {"a":1}', { kind: 'input', input: { kind: 'starts', inputs: { a: 1 } } }],
    ['/quit', { kind: 'quit' }],
    ['   ', { kind: 'nothing' }],
  ])('reads %s', (line, command) => {
    expect(readCommand(line, [])).toEqual(command);
  });

  it.each([
    '/bogus',
    '/',
    '/api',
    '/place',
    '/place {"timeZone":"Mars/Base"}',
    '/time soon',
    '/webhook {',
    '/send text',
    '/start [1]',
    '/signal',
  ])('refuses %s and names the expected form', (line) => {
    expect(() => readCommand(line, [])).toThrow(SyntaxError);
  });
});
