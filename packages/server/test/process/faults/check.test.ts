import { describe, expect, it } from 'vitest';
import type { Execution } from '../caller.ts';
import { check } from './check.ts';
import type { Deed, Order, Promised } from './world.ts';

const user = '593999999000';
const execution = (executionId: string, status = 'completed') => ({ executionId, status }) as Execution;
const deed = (step: string, of: string, what = '', key = `${step} ${of} ${what}`): Deed => ({ step, of, what, key });
const order: Order = { number: 'O0', executionId: 'e0', taken: ['b'], ignored: ['a'] };
const promised: Promised = { orders: [order], texts: new Map([[user, ['text 0', 'text 1']]]), odd: [] };
const executions = [execution('e0'), execution('e1'), execution('e2')];
const deeds = [deed('placed', 'O0'), deed('paid', 'e0', 'b'), deed('heard', user, 'text 0'), deed('heard', user, 'text 1')];
const [placed, paid, first, second] = deeds as [Deed, Deed, Deed, Deed];

describe('the checker of two processes', () => {
  it('finds nothing where each thing was done, however often under its key', () =>
    expect(check(promised, [...deeds, ...deeds], executions)).toEqual([]));

  it.each<readonly [string, string, Partial<Promised>, readonly Deed[], readonly Execution[]]>([
    ['an answer of another kind', 'odd', { odd: ['500 {}'] }, deeds, executions],
    ['a deed that is missing', 'lost', {}, [placed, first, second], executions],
    ['an order that never ended', 'lost', {}, deeds, [execution('e0', 'waiting'), execution('e1'), execution('e2')]],
    ['an execution that is not there', 'lost', {}, deeds, [execution('e1'), execution('e2'), execution('e3')]],
    ['a message that was not heard', 'lost', {}, [placed, paid, first], executions],
    ['two keys for one deed', 'twice', {}, [...deeds, deed('placed', 'O0', '', 'other')], executions],
    ['two executions for one request', 'twice', {}, deeds, [...executions, execution('e3')]],
    ['two winners', 'winner', { orders: [{ ...order, taken: ['a', 'b'], ignored: [] }] }, deeds, executions],
    ['no winner', 'winner', { orders: [{ ...order, taken: [], ignored: ['a', 'b'] }] }, deeds, executions],
    ['a winner that was done otherwise', 'winner', {}, [placed, deed('paid', 'e0', 'a'), first, second], executions],
    ['another order', 'order', {}, [placed, paid, second, first], executions],
  ])('finds %s', (_what, kind, changes, done, listed) => {
    const findings = check({ ...promised, ...changes }, done, listed);
    expect(findings.map((finding) => finding.split(':')[0])).toContain(kind);
  });
});
