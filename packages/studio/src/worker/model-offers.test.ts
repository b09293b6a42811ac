// The answers that are offered for a model: each of them is a line that the test plays.
import { readFileSync } from 'node:fs';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asCanvas } from '../canvas/canvas-json.ts';
import { modelOffers } from './model-offers.ts';
import type { TestSetting } from './protocol.ts';
import { createTester } from './tester.ts';

const setting: TestSetting = { channel: 'whatsapp', company: {}, user: { id: '5215512345678', names: 'Ana', phone: '5215512345678' } };
const example = (place: string) =>
  asCanvas(JSON.parse(readFileSync(new URL(`../../../../examples/${place}.json`, import.meta.url), 'utf8')))!;
const agent = example('canvases/order-agent');

it('an agent is offered a text, each of its tools and exits, a refusal and no answer, and each is played', async () => {
  const begin = async () => {
    const tester = createTester(standardNodes);
    await tester.start([agent, example('canvases/stock'), example('canvases/place-order')], '', setting);
    return { tester, view: await tester.play('user: hello') };
  };
  const { view } = await begin();
  const offers = view.calls[0]?.offers ?? [];
  expect(offers.map(({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`))).toEqual([
    'reply',
    'tool stock',
    'tool order',
    'exit ordered',
    'exit person',
    'refuse',
    'fail',
  ]);
  for (const { line } of offers) {
    const { tester } = await begin();
    expect([line, (await tester.play(line)).error]).toEqual([line, undefined]);
  }
});

it('whatever is asked, what is offered is one line each', () => {
  const tool = fc.record({ name: fc.oneof(fc.string(), fc.constantFrom('stock', 'exit_done', 'exit_')), inputSchema: fc.jsonValue() });
  const request = fc.oneof(fc.jsonValue(), fc.record({ tools: fc.array(tool) }));
  fc.assert(
    fc.property(request, (asked) => {
      for (const { line } of modelOffers(asked as never, 'model: "Hello."')) expect(line).toMatch(/^model: .+$/);
    }),
  );
});
