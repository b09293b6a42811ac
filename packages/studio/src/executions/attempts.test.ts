import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../api/client.ts';
import { attemptsUntil } from './attempts.ts';

const at = (second: number) => new Date(Date.UTC(2031, 2, 3, 9, 0, second)).toISOString();
const visit = { nodeId: 'api', visitNumber: 1, type: 'api' };
const effect = { type: 'http.request', key: 'k' };
const response = (status: number) => ({ kind: 'response', response: { status, headers: {}, body: '' } });

/** A call that is answered 500, tried again 20 seconds later, and answered 200 after two more. */
const retried: readonly HistoryEntry[] = [
  { at: at(0), nodeId: 'start', visitNumber: 1, type: 'start', port: 'next' },
  { ...visit, at: at(0), effect: { ...effect, request: {} } },
  { ...visit, at: at(1), effect: { ...effect, result: response(500) }, cause: 'HTTP_STATUS' },
  { ...visit, at: at(21), effect: { ...effect, request: {} } },
  { ...visit, at: at(23), effect: { ...effect, result: response(200) }, port: 'success' },
  { at: at(23), nodeId: 'end', visitNumber: 1, type: 'end' },
];

describe('the attempts of a visit', () => {
  const first = { step: 2, type: 'http.request' };
  const second = { step: 4, type: 'http.request' };

  it.each([
    ['before it', 1, []],
    ['once it asked', 2, [{ ...first, answer: undefined }]],
    ['once it was answered', 3, [{ ...first, answer: { outcome: '500', tookMs: 1_000, step: 3 } }]],
    [
      'once it tries again',
      4,
      [
        { ...first, answer: { outcome: '500', tookMs: 1_000, step: 3 } },
        { ...second, answer: undefined },
      ],
    ],
    [
      'at its end',
      5,
      [
        { ...first, answer: { outcome: '500', tookMs: 1_000, step: 3 } },
        { ...second, answer: { outcome: '200', tookMs: 2_000, step: 5 } },
      ],
    ],
    ['at another node', 6, []],
    ['beyond the history', 7, []],
  ])('%s', (_when, step, attempts) => {
    expect(attemptsUntil(retried, step)).toEqual(attempts);
  });

  it('of another visit of the node are another list', () => {
    const again = { ...visit, visitNumber: 2, at: at(30), effect: { ...effect, key: 'other', request: {} } };
    expect(attemptsUntil([...retried, again], 7)).toEqual([{ step: 7, type: 'http.request', answer: undefined }]);
  });

  it('are told apart where a node masks requests and results', () => {
    const masked: readonly HistoryEntry[] = [
      { ...visit, at: at(0), effect },
      { ...visit, at: at(4), effect, port: 'success' },
    ];
    expect(attemptsUntil(masked, 2)).toEqual([{ step: 1, type: 'http.request', answer: { outcome: '', tookMs: 4_000, step: 2 } }]);
  });

  it('name an unknown outcome', () => {
    const lost: readonly HistoryEntry[] = [
      { ...visit, at: at(0), effect },
      { ...visit, at: at(1), effect: { ...effect, outcome: 'unknown' } },
    ];
    expect(attemptsUntil(lost, 2)).toMatchObject([{ answer: { outcome: 'unknown' } }]);
  });
});
