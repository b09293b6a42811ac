import { call, type Runner } from '@hilo/stores';
import type { Range } from '../platform/http/date-range.ts';
import { type Figures, figuresOfNobody, figuresOfOperator } from './sql.ts';

/** Operators whose conversations are gone through in one go: more would keep others waiting (P20). */
const atOnce = 20;

/** Adds up the conversations of these operators that began in a range; `alsoNobodys` those without an operator, too. */
export async function readFigures(
  runner: Runner,
  companyId: string,
  { fromMs, toMs }: Range,
  operatorIds: readonly number[],
  alsoNobodys: boolean,
): Promise<Figures> {
  const range = { companyId, fromMs, toMs };
  let total = nothing;
  for (let first = 0; first < operatorIds.length; first += atOnce) {
    const some = operatorIds.slice(first, first + atOnce).map((operatorId) => call(figuresOfOperator, { ...range, operatorId }));
    const found = await runner.readEach(some);
    total = found.flat().reduce(added, total);
  }
  return alsoNobodys ? (await runner.read(call(figuresOfNobody, range))).reduce(added, total) : total;
}

const nothing: Figures = {
  total: 0,
  actual: 0,
  attended: 0,
  expired: 0,
  transferred: 0,
  last_operator: 0,
  last_user: 0,
  last_bot: 0,
  replied: 0,
  reply_ms: 0,
  responses: 0,
  response_ms: 0,
  ended: 0,
  duration_ms: 0,
};

/** PostgreSQL gives large sums as text. */
const added = (left: Figures, right: Figures): Figures => {
  const sumOf = (name: keyof Figures): number => left[name] + Number(right[name]);
  return {
    total: sumOf('total'),
    actual: sumOf('actual'),
    attended: sumOf('attended'),
    expired: sumOf('expired'),
    transferred: sumOf('transferred'),
    last_operator: sumOf('last_operator'),
    last_user: sumOf('last_user'),
    last_bot: sumOf('last_bot'),
    replied: sumOf('replied'),
    reply_ms: sumOf('reply_ms'),
    responses: sumOf('responses'),
    response_ms: sumOf('response_ms'),
    ended: sumOf('ended'),
    duration_ms: sumOf('duration_ms'),
  };
};
