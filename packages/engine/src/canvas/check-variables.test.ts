import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { Canvas } from '../contract/canvas.ts';
import type { JsonObject } from '../contract/json.ts';
import { checkCanvas } from './check.ts';
import { PathBits } from './check-variables.ts';

/** The problems of variables alone: place, and the missing variable with its path. */
const check = (nodes: Parameters<typeof canvasOf>[0], edges: readonly string[], more: JsonObject = {}) =>
  checkCanvas(Canvas.parse(canvasOf(nodes, edges, more)), { nodes: smallNodes })
    .filter(({ code }) => code === 'UNWRITTEN_VARIABLE')
    .map(({ pointer, message }) => `${pointer}: ${message}`);

const begin = { id: 'begin', type: 'start' };
const hook = { id: 'hook', type: 'webhook', data: { variableName: 'order' } };
const write = (id: string, ...paths: string[]) => ({ id, type: 'step', data: { writes: { next: paths } } });
const read = (text: string, id = 'done') => ({ id, type: 'end', data: { text } });

/** Whether reading a text right after the start is refused. */
const isRefused = (text: string, more: JsonObject = {}) => check([begin, read(text)], ['begin → done'], more).length > 0;

describe('what to do about a name that nothing writes', () => {
  it.each([
    ['$context.nmae', 'Did you mean $context.name? Set the variable'],
    ['$context.other', 'Set the variable on every path'],
    ['$input.ctiy', 'Did you mean $input.city? Declare the input in "settings.inputs" of the canvas, such as'],
    ['$tool.x', 'The question of a tool may read the inputs of its call: '],
  ])('of %s is said with the names that there are', (path, hint) => {
    const canvas = canvasOf([begin, write('first', '$context.name'), read(`{{${path}}}`)], ['begin → first', 'first.next → done'], {
      settings: { inputs: { city: { type: 'string' } } },
    });
    const found = checkCanvas(Canvas.parse(canvas), { nodes: smallNodes });
    expect(found.flatMap(({ code, hint: said }) => (code === 'UNWRITTEN_VARIABLE' ? [said] : []))).toEqual([expect.stringContaining(hint)]);
  });
});

describe('what not every user has', () => {
  it.each([
    ['{{$user.timeZone}}', ['warning']],
    ['{{lower($user.locale)}}', ['warning']],
    ['{{$user.timeZone == "America/Lima" ? 1 : 2}}', ['warning']],
    ['{{$user.timeZone ?? $company.timeZone ?? "UTC"}}', []],
    ['{{has($user.locale) ? $user.locale : "en"}}', []],
    ['{{$user.names}} {{$user.phone}}', []],
    ['{{format($now, "HH:mm")}}', []],
  ])('is a warning without a default: %s', (text, severities) => {
    const found = checkCanvas(Canvas.parse(canvasOf([begin, read(text)], ['begin → done'])), { nodes: smallNodes });
    expect(found.flatMap(({ code, severity }) => (code === 'UNWRITTEN_VARIABLE' ? [severity] : []))).toEqual(severities);
  });
});

describe('a variable that is read before it is written', () => {
  const names = ['x', 'y', 'z'];
  const ports = ['a', 'b', 'error'];
  const some = (of: readonly string[]) => fc.subarray([...of]);

  const drawings = fc.integer({ min: 1, max: 6 }).chain((size) =>
    fc.array(
      fc.record({
        writes: fc.record({ a: some(names), b: some(names), error: some(names) }),
        reads: some(names),
        targets: fc.record({
          a: fc.integer({ min: -1, max: size - 1 }),
          b: fc.integer({ min: -1, max: size - 1 }),
          error: fc.integer({ min: -1, max: size - 1 }),
        }),
      }),
      { minLength: size, maxLength: size },
    ),
  );

  it('is found exactly where some walk reaches it without the write', () =>
    fc.assert(
      fc.property(drawings, (drawing) => {
        // Simple search: every step with every set of variables that a walk can bring along.
        const seen = new Map<string, { readonly step: number; readonly written: readonly string[] }>();
        const visit = (step: number, written: readonly string[]) =>
          void seen.set(`${step} ${[...written].sort().join()}`, { step, written });
        visit(0, []);
        for (const { step, written } of seen.values()) {
          const drawn = drawing[step];
          if (drawn === undefined) throw new Error(`There is no step ${step}`);
          const { targets, writes } = drawn;
          for (const port of ['a', 'b', 'error'] as const) {
            const target = targets[port] >= 0 ? targets[port] : targets.error;
            if (target >= 0) visit(target, [...new Set([...written, ...writes[port]])]);
          }
        }
        const expected = drawing.flatMap(({ reads }, step) =>
          reads
            .filter((name) => [...seen.values()].some((state) => state.step === step && !state.written.includes(name)))
            .map((name) => `n${step} ${name}`),
        );

        const nodes = drawing.map(({ reads, writes }, index) => ({
          id: `n${index}`,
          type: 'step',
          data: {
            ports: [],
            optional: ports,
            writes: Object.fromEntries(Object.entries(writes).map(([port, written]) => [port, written.map((name) => `$context.${name}`)])),
            text: reads.map((name) => `{{$context.${name}}}`).join(' '),
          },
        }));
        const edges = drawing.flatMap(({ targets }, index) =>
          Object.entries(targets).flatMap(([port, target]) => (target < 0 ? [] : [`n${index}.${port} → n${target}`])),
        );
        const found = check([begin, ...nodes], ['begin → n0', ...edges]).map((problem) => {
          const [, index, name] = /^\/nodes\/(\d+)\/data\/text: \$context\.(\w)/.exec(problem) ?? [];
          return `n${Number(index) - 1} ${name}`;
        });
        expect(found.sort()).toEqual(expected.sort());
      }),
    ));

  it('is reported with the place of the template and a path on which nothing writes it', () => {
    const fork = { id: 'fork', type: 'step', data: { ports: ['yes', 'no'], writes: { yes: ['$context.name'] } } };
    const done = { id: 'done', type: 'step', data: { ports: [], texts: [{ value: 'Hi' }, { value: 'Hi {{$context.name}}' }] } };
    expect(check([begin, fork, done], ['begin → fork', 'fork.yes → done', 'fork.no → done'])).toEqual([
      '/nodes/2/data/texts/1/value: $context.name may be missing here: nothing writes it on the way begin → fork → done',
    ]);
    expect(
      check(
        [begin, { ...fork, data: { ...fork.data, writes: { yes: ['$context.name'], no: ['$context.name'] } } }, done],
        ['begin → fork', 'fork.yes → done', 'fork.no → done'],
      ),
    ).toEqual([]);
  });

  it.each([
    ['$context.a', true],
    ['$context.a.b', true],
    ['$context', false],
    ['$context.executionId', false],
    ['$webhook.order.body', true],
    ['$input.city', true],
    ['$item', true],
    ['size($context.a) > 1', true],
    ['$user.names', false],
    ['$memory.cart', false],
    ['$message.text', false],
    ['$messages', false],
    ['$bot.id', false],
    ['$company.name', false],
    ['$error.cause', false],
    ['$output.total', false],
    ['$context.a ?? 1', false],
    ['$context.a ?? $context.b', true],
    ['has($context.a)', false],
    ['$context.?a.orValue(1)', false],
    ['has($context.a) ? $context.a : 1', false],
    ['has($context.a) ? $context.a.b : 1', false],
    ['has($context.a.b) ? $context.a.b : 1', false],
    ['!has($context.a) ? 1 : $context.a', false],
    ['has($context.a) && has($context.b) ? $context.a + $context.b : 1', false],
    ['has($context.a) && $context.a > 1', false],
    ['$context.a > 1 && has($context.a)', false],
    ['!has($context.a) || $context.a > 1', false],
    ['!(has($context.a) && $context.a > 1) || $context.a < 9', false],
    ['has($context.a) ? 1 : $context.a', true],
    ['has($context.a) || has($context.b) ? $context.a : 1', true],
    ['has($context.a) || $context.a > 1', true],
    ['has($context.b) ? $context.a : 1', true],
    ['has($context.a.b) ? $context.a.c : 1', true],
    ['(has($context.a) ? 1 : 2) + $context.a', true],
  ])('is, right after a start, {{%s}}: %s', (expression, expected) => {
    expect(isRefused(`{{${expression}}}`)).toBe(expected);
  });

  it.each([
    ['$context.a', '$context.a', false],
    ['$context.a', '$context.a.b', false],
    ['$context.a.b', '$context.a', false],
    ['$context.a.b', '$context.a.b', false],
    ['$context.a.b', '$context.a.c', true],
    ['$context.a', '$context.ab', true],
    ['$context.a[0]', '$context.a[0].b', false],
    ['$context.a[0]', '$context.a[1]', true],
    ['$webhook.order', '$webhook.order.body.id', false],
    ['$webhook.order', '$webhook.orders', true],
  ])('after a write of %s, reading %s is missing: %s', (written, path, expected) => {
    const problems = check([begin, write('set', written), read(`{{${path}}}`)], ['begin → set', 'set → done']);
    expect(problems.length > 0).toBe(expected);
  });

  it('is none when it is declared with a default, inherited, or an input', () => {
    expect(isRefused('{{$context.a}}', { variables: { a: { default: null } } })).toBe(false);
    expect(isRefused('{{$context.a}}', { variables: { a: { type: 'string' } } })).toBe(true);
    expect(isRefused('{{$webhook.order.body.id}}', { settings: { inheritedWebhooks: ['order'] } })).toBe(false);
    expect(isRefused('{{$input.city}}', { settings: { inputs: { city: { type: 'string', default: 'Lima' } } } })).toBe(false);
    expect(isRefused('{{$input.city}}', { settings: { inputs: { city: { type: 'string' } } } })).toBe(false);
    expect(isRefused('{{$input.town}}', { settings: { inputs: { city: { type: 'string' } } } })).toBe(true);
    expect(isRefused('{{$input.city}}', { kind: 'tool', settings: { inputs: { city: { type: 'string' } } } })).toBe(false);
  });

  it('is known after a webhook, by its first request and by a later one', () => {
    const ask = write('ask', '$context.name');
    const both = read('{{$webhook.order.body.id}} {{$context.name}}');
    const one = read('{{$webhook.order.body.id}}', 'first');
    const ways = ['begin → ask', 'ask → hook', 'hook.resume → done', 'hook.new → first'];
    expect(check([begin, ask, hook, both, one], ways)).toEqual([]);
    expect(check([begin, ask, hook, both, one], [...ways, 'hook.timeout → done'])).toEqual([
      '/nodes/3/data/text: $webhook.order.body.id may be missing here: nothing writes it on the way begin → ask → hook → done',
    ]);
  });

  it('is known after wait-external, which the canvas’s webhook answers', () => {
    const park = { id: 'park', type: 'wait-external' };
    expect(check([begin, hook, park, read('{{$webhook.order.body.id}}')], ['begin → park', 'park → done', 'hook.new → park'])).toEqual([]);
  });

  it('is known after a webhook at which a calling workflow begins, only once a request came', () => {
    expect(check([hook, read('{{$webhook.order.body.id}}')], ['hook.new → done', 'hook.resume → done'])).toEqual([]);
    expect(check([hook, read('{{$webhook.order.body.id}}')], ['hook.new → done', 'hook.timeout → done'])).toHaveLength(1);
  });

  it('is unknown after catch, whatever came before', () => {
    const catcher = { id: 'oops', type: 'catch' };
    expect(
      check(
        [begin, write('set', '$context.a'), read('{{$context.a}}'), catcher, read('{{$context.a}} {{$error.cause}}', 'caught')],
        ['begin → set', 'set → done', 'oops → caught'],
      ),
    ).toEqual(['/nodes/4/data/text: $context.a may be missing here: nothing writes it on the way oops → caught']);
  });

  it('is $item outside its loop, and behind it', () => {
    const each = { id: 'each', type: 'for-each' };
    const body = { id: 'body', type: 'step', data: { text: '{{$item.name}}' } };
    const ways = ['begin → each', 'each.each → body', 'body → each', 'each.done → done'];
    expect(check([begin, each, body, read('')], ways)).toEqual([]);
    expect(check([begin, each, body, read('{{$item}}')], ways)).toEqual([
      '/nodes/3/data/text: $item may be missing here: nothing writes it on the way begin → each → done',
    ]);
  });

  it('is not $item of a loop around another', () => {
    const [outer, inner] = ['outer', 'inner'].map((id) => ({ id, type: 'for-each' }));
    const body = { id: 'body', type: 'step', data: { text: '{{$item}}' } };
    const after = { id: 'after', type: 'step', data: { text: '{{$item}}' } };
    const ways = [
      'begin → outer',
      'outer.each → inner',
      'inner.each → body',
      'body → inner',
      'inner.done → after',
      'after → outer',
      'outer.done → done',
    ];
    expect(check([begin, outer!, inner!, body, after, read('')], ways)).toEqual([]);
  });

  it('is not reported after a node or an edge that is reported itself', () => {
    const odd = (data: JsonObject) =>
      check([begin, { id: 'odd', type: 'step', data }, read('{{$context.a}}')], ['begin → odd', 'odd.next → done']);
    expect(odd({ savAs: '$context.a' })).toEqual([]);
    expect(odd({ wrong: 1 })).toEqual([expect.stringContaining('begin → odd → done')]);
    expect(odd({ ports: 7 })).toEqual([expect.stringContaining('begin → odd → done')]);
    expect(check([begin, write('set', '$context.a'), read('{{$context.a}}')], ['begin → set', 'set.nxt → done'])).toEqual([]);
  });

  it('is reported for each of many at once', () => {
    const text = Array.from({ length: 100 }, (_, index) => `{{$context.v${index}}}`).join('');
    const known = Array.from({ length: 99 }, (_, index) => `$context.v${index}`);
    expect(check([begin, read(text)], ['begin → done'])).toHaveLength(100);
    expect(check([begin, write('set', ...known), read(text)], ['begin → set', 'set → done'])).toHaveLength(1);
  });
});

describe('PathBits', () => {
  it('finds a path by each write above it, at it and below it', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom('a', 'b', 0, 1), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 31 }),
        fc.array(fc.array(fc.constantFrom('a', 'b', '0', 1), { minLength: 1, maxLength: 4 })),
        (paths, writes) => {
          const bits = new PathBits(paths);
          const expected = paths.map((path) =>
            writes.some((write) => write.every((step, at) => at >= path.length || String(step) === String(path[at]))),
          );
          expect(paths.map((_, index) => (bits.of(writes) & (1 << index)) !== 0)).toEqual(expected);
          expect(paths.every((_, index) => (bits.all & (1 << index)) !== 0)).toBe(true);
        },
      ),
    ));
});

describe('a reader behind another reader of the same missing variable', () => {
  const say = (id: string, text: string) => ({ id, type: 'step', data: { text } });
  const follows = (nodes: Parameters<typeof canvasOf>[0], edges: readonly string[]) =>
    Object.fromEntries(
      checkCanvas(Canvas.parse(canvasOf(nodes, edges)), { nodes: smallNodes })
        .filter(({ code }) => code === 'UNWRITTEN_VARIABLE')
        .map(({ nodeId = '', follows: before }) => [nodeId, before ?? null]),
    );
  const first = say('first', '{{$context.a.b}}');

  it('names the first of them, also for another part of the variable', () => {
    expect(follows([begin, first, read('{{$context.a.c}}')], ['begin → first', 'first → done'])).toEqual({ first: null, done: 'first' });
  });

  it('follows no reader of another variable', () => {
    expect(follows([begin, first, read('{{$context.ab}}')], ['begin → first', 'first → done'])).toEqual({ first: null, done: null });
  });

  it('is shown by a way without the other, where there is one', () => {
    const split = { id: 'split', type: 'step', data: { ports: ['a', 'b'] } };
    const nodes = [begin, split, say('first', '{{$context.a}}'), write('longer'), read('{{$context.a}}')];
    const edges = ['begin → split', 'split.a → first', 'first → done', 'split.b → longer', 'longer → done'];
    expect(follows(nodes, edges)).toEqual({ first: null, done: null });
  });
});
