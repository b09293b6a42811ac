import type { ExecutionState, HistoryEntry, HistoryRecord, Json, Write } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowReader } from './row-reader.ts';
import { RowError, seal } from './row-text.ts';
import { type Named, RowWriter } from './row-writer.ts';
import { words } from './row-words.ts';
import { fewRuns } from '../../../scripts/vitest/part-of.ts';

const named: Named = { companyId: '1', executionId: '01a223f8d98b7407970f0c7fb669dce7' };

/** What nearly every execution has, and what none should have, in one place or another. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('hook', 'keep', 'set', 'next', 'order', 'executionId', '$context', named.executionId) },
  fc.constantFrom('', '0', '__proto__', 'constructor', '\u0000', '\ud800', '[', '"'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const instant = fc.constantFrom(0, 5, 6, -1, 1_795_899_840_908, 2 ** 53 - 1);
const count = fc.constantFrom(0, 1, 2, 3);
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;

/** An object of which any field may be missing, or others be there. */
const loose = <Fields extends object>(fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }, optional: readonly string[] = []) =>
  fc
    .tuple(
      fc.record(fields, { noNullPrototype: true }),
      fc.subarray([...optional]),
      fc.option(fc.dictionary(fc.constantFrom('later', 'added', '0'), json, { noNullPrototype: true }), { nil: {}, freq: 9 }),
    )
    .map(
      ([value, without, more]) =>
        ({ ...Object.fromEntries(Object.entries(value).filter(([name]) => !without.includes(name))), ...more }) as unknown as Fields,
    );

const object = fc.oneof(
  fc.constant({}),
  loose({ body: json, headers: json, query: json, method: text, mode: text, executionId: text, isNewExecution: fc.boolean() }),
  fc.dictionary(text, json, { maxKeys: 3, noNullPrototype: true }),
);
const value = fc.oneof(json, object as fc.Arbitrary<Json>);
const write = loose<Write>(
  {
    path: fc.oneof(fc.tuple(fc.constantFrom('$context', '$webhook', 'x'), text), fc.array(fc.oneof(text, fc.nat()), { maxLength: 3 })),
    value,
    ttlMs: count,
  },
  ['ttlMs', 'value'],
);
const writes = fc.array(write, { maxLength: 4 });
const scope = fc.oneof(
  value,
  fc.constant({ cause: null, message: null, nodeId: null, attempt: null }),
  fc.constant({ id: '519', names: 'Ana', phone: '519', phoneNumber: '519' }),
  fc.constant({ names: null, id: '519', phone: '519', phoneNumber: '519' }),
);
const variables = fc.dictionary(fc.constantFrom('$context', '$webhook', '$user', '$error', '$memory', '__proto__', 'x'), scope, {
  noNullPrototype: true,
}) as fc.Arbitrary<ExecutionState['variables']>;
const origin = loose(
  {
    companyId: fc.constantFrom('1', '2'),
    botId: text,
    userId: text,
    channel: fc.constantFrom('whatsapp', 'web'),
    route: fc.constantFrom('production', 'test'),
  },
  ['botId', 'userId', 'channel'],
);
const identity = {
  executionId: fc.constantFrom(named.executionId, 'another'),
  rootId: fc.constantFrom(named.executionId, 'another'),
  origin,
  depth: count,
  seed: text,
  startedAtMs: instant,
  canvasHash: text,
};
const settled = loose({ kind: text, value: json });
const trigger = fc.oneof(loose({ kind: fc.constant('webhook'), writes }), loose({ kind: fc.constant('message'), message: object }));
const event = fc.oneof(
  loose({ type: fc.constant('execution.accepted'), atMs: instant, input: loose({ ...identity, variables, defaults: variables }) }),
  loose({ type: fc.constant('execution.started'), entry: text, trigger, atMs: instant }),
  loose({ type: fc.constant('webhook.received'), waitId: text, via: text, once: fc.boolean(), writes, atMs: instant }),
  loose({ type: fc.constant('effect.settled'), key: text, settled, atMs: instant }),
  loose({ type: fc.constant('reply.received'), waitId: text, message: object, atMs: instant }),
  loose({ type: fc.constant('timer.fired'), waitId: text, lateByMs: count, atMs: instant }),
) as unknown as fc.Arbitrary<HistoryRecord['event']>;
const entry = loose(
  {
    at: instant,
    nodeId: text,
    visitNumber: count,
    type: text,
    port: text,
    writes,
    effect: loose({ type: text, key: text.map((end) => `${named.executionId}/${end}`), request: json, result: json }, [
      'request',
      'result',
    ]),
    wait: loose({ kind: text, dueAtMs: fc.option(instant) }),
    cause: text,
  },
  ['port', 'writes', 'effect', 'wait', 'cause'],
) as unknown as fc.Arbitrary<HistoryEntry>;
const history = fc.array(fc.record({ revision: count, event, entries: fc.array(entry, { maxLength: 5 }) }), { minLength: 1, maxLength: 3 });
const state = loose(
  {
    ...identity,
    status: fc.constantFrom('running', 'waiting', 'completed', 'quarantined'),
    visit: loose({
      nodeId: text,
      number: count,
      attempt: count,
      atMs: instant,
      results: fc.array(settled, { maxLength: 2 }),
      contextUpdates: writes,
    }),
    pending: loose({
      key: text,
      nodeId: text,
      attempt: count,
      type: text,
      request: json,
      limitMs: count,
      limitCause: loose({ cause: text }),
    }),
    wait: loose({
      id: text,
      kind: text,
      nodeId: text,
      openedAtMs: instant,
      dueAtMs: fc.option(instant),
      onDue: text,
      takesReply: fc.boolean(),
    }),
    visits: fc.dictionary(text, count, { noNullPrototype: true }),
    visitsInAll: count,
    visitsSinceWait: count,
    historySize: count,
    memos: fc.dictionary(text, json, { noNullPrototype: true }),
    said: fc.array(text),
    answered: fc.array(loose({ name: text, visit: text })),
    resumedOnce: fc.array(text, { maxLength: 2 }),
    keptRequests: fc.array(loose({ via: text })),
    isCaught: fc.boolean(),
    variables,
    variablesSize: count,
    ending: loose({ outputs: object }),
  },
  ['visit', 'pending', 'wait', 'said', 'answered', 'keptRequests', 'ending'],
) as unknown as fc.Arbitrary<ExecutionState>;

/** A state that its history has just led to: it shares values with it, as those of the engine do. */
const begun = fc.tuple(history, state).chain(([records, own]) => {
  const input = records.flatMap(({ event: one }) => (one.type === 'execution.accepted' ? [one.input] : []))[0];
  const written = records.flatMap(({ entries }) => entries.flatMap((one) => one.writes ?? []));
  const last = records.flatMap(({ entries }) => entries).findLast(({ effect }) => effect !== undefined);
  return fc.record({ isSame: fc.boolean(), isPending: fc.boolean() }).map(({ isSame, isPending }) => {
    const context = Object.fromEntries(written.flatMap(({ path, value: one }) => (one === undefined ? [] : [[String(path[1]), one]])));
    const { variables: before = {}, defaults: _defaults, ...same } = input ?? {};
    const shared = { ...own.variables, ...before, $context: { executionId: named.executionId, ...context } };
    const pending = { key: last?.effect?.key, nodeId: last?.nodeId, attempt: 1, type: last?.effect?.type, request: last?.effect?.request };
    const visits = Object.fromEntries(records.flatMap(({ entries }) => entries.map(({ nodeId }) => [nodeId, 1])));
    return {
      records,
      own: {
        ...own,
        ...(isSame && { ...same, variables: shared, visits }),
        ...(isPending && last !== undefined && { pending: { ...pending, limitMs: 1, limitCause: { cause: 'TIMEOUT' } } }),
      } as ExecutionState,
    };
  });
});

/** Whether something can be read, is refused, or fails in a way that nobody expects. */
function outcomeOf(read: () => unknown): unknown {
  try {
    read();
    return 'read';
  } catch (error) {
    return error instanceof RowError ? 'refused' : error;
  }
}

/** Whatever JSON says of a value: one without a value has no place in it. */
const asJson = (given: unknown): unknown => JSON.parse(JSON.stringify(given));

describe('the text of a row', () => {
  it('is read as it was written: the history of a commit', () => {
    fc.assert(
      fc.property(history, (records) => {
        expect(asJson(new RowReader(named).history(new RowWriter(named).history(records)))).toEqual(asJson(records));
      }),
      fewRuns(100),
    );
  });

  it('is read as it was written: a state alone, or after the history of its beginning', () => {
    fc.assert(
      fc.property(begun, ({ records, own }) => {
        expect(asJson(new RowReader(named).state(new RowWriter(named).state(own)))).toEqual(asJson(own));
        const [writer, reader] = [new RowWriter(named), new RowReader(named)];
        const texts = [writer.history(records), writer.state(own)] as const;
        expect(asJson(reader.history(texts[0]))).toEqual(asJson(records));
        expect(asJson(reader.state(texts[1]))).toEqual(asJson(own));
      }),
      fewRuns(100),
    );
  });

  it('has variables in the order in which they were written', () => {
    fc.assert(
      fc.property(begun, ({ records, own }) => {
        const [writer, reader] = [new RowWriter(named), new RowReader(named)];
        reader.history(writer.history(records));
        expect(JSON.stringify(reader.state(writer.state(own)).variables)).toBe(JSON.stringify(asJson(own.variables)));
      }),
      fewRuns(100),
    );
  });

  it('has no character that a database refuses', () => {
    fc.assert(
      fc.property(begun, ({ records, own }) => {
        const writer = new RowWriter(named);
        for (const one of [writer.history(records), writer.state(own)]) expect(one.includes('\0') || !one.isWellFormed()).toBe(false);
      }),
      fewRuns(100),
    );
  });

  it('is refused when anything in it was changed, cut off or added', () => {
    fc.assert(
      fc.property(
        begun,
        fc.nat(),
        fc.string({ unit: 'binary', maxLength: 3 }),
        fc.nat({ max: 3 }),
        ({ records, own }, place, instead, gone) => {
          const texts = [new RowWriter(named).history(records), new RowWriter(named).state(own)] as const;
          for (const [index, row] of texts.entries()) {
            const at = place % (row.length + 1);
            const changed = `${row.slice(0, at)}${instead}${row.slice(at + gone)}`;
            const read = (): unknown => (index === 0 ? new RowReader(named).history(changed) : new RowReader(named).state(changed));
            expect(outcomeOf(read)).toBe(changed === row ? 'read' : 'refused');
          }
        },
      ),
      fewRuns(100),
    );
  });

  it('is refused where one bit was flipped, wherever it is', () => {
    const row = new RowWriter(named).state({ ...fc.sample(state, { seed: 1, numRuns: 1 })[0] } as ExecutionState);
    const bytes = Buffer.from(row);
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit % 8)), bit >> 3);
      expect(() => new RowReader(named).state(flipped.toString())).toThrow(RowError);
    }
  });

  it('says what to do when a later release wrote it', () => {
    const later = `c${new RowWriter(named).state(fc.sample(state, 1)[0] as ExecutionState).slice(1)}`;
    expect(() => new RowReader(named).state(later)).toThrow(
      'A row cannot be read: it is of format "c", and this release reads up to "b": run the release that wrote it, or a later one',
    );
  });

  it.each([[0], [[]], ['x'], [{}], [null], [{ status: 'unknown' }], [61, 0], [[1, [9, 0]]], [[1, [0, 0, []]]], [[1, { atMs: 0 }, [1]]]])(
    'is refused with a sum that is right and a list that nothing wrote: %j',
    (...items) => {
      expect(() => new RowReader(named).state(seal(items))).toThrow(RowError);
      expect(() => new RowReader(named).history(seal(items))).toThrow(RowError);
    },
  );

  it('keeps the place of every word', () => {
    // A store that was written by an earlier release is read with this list; one that this release wrote, by an earlier one beside it.
    expect(words).toHaveLength(87);
    expect([words[0], words[12], words[19], words[60]]).toEqual(['$webhook', 'running', 'ai-task', 'elapsed']);
    expect(new Set(words).size).toBe(words.length);
  });
});
