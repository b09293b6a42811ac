import { describe, expect, it } from 'vitest';
import { reasonOf } from './postgres-fault.ts';

const failure = (message: string, fields: object): Error => Object.assign(new Error(message), fields);

describe('the reason why a server is not reached', () => {
  it.each([
    [
      failure('could not extend file: No space left on device', { code: '53100', severity: 'ERROR' }),
      "could not extend file: No space left on device: make room on the server's disk",
    ],
    [
      failure('connect ETIMEDOUT 10.0.0.9:5432', { code: 'ETIMEDOUT' }),
      'connect ETIMEDOUT 10.0.0.9:5432: correct the host, or let this machine reach it',
    ],
    [
      failure('Connection terminated unexpectedly', {}),
      'Connection terminated unexpectedly: correct host and port: no PostgreSQL answers there',
    ],
    [failure('something else', { code: 'XX000', severity: 'ERROR' }), 'something else'],
    [
      new AggregateError([failure('connect ECONNREFUSED ::1:5432', { code: 'ECONNREFUSED' })]),
      'connect ECONNREFUSED ::1:5432: start PostgreSQL there, or correct host and port',
    ],
  ])('%s', (error, sentence) => {
    expect(reasonOf(error)).toBe(sentence);
  });
});
