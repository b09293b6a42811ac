import { readFileSync } from 'node:fs';
import { standardNodes } from '@hilo/nodes';
import { expect, it } from 'vitest';
import { asCanvas, portKey } from '../canvas/canvas-json.ts';
import { findConversation } from './find-conversation.ts';
import type { TestSetting } from './protocol.ts';
import { createTester } from './tester.ts';

const file = new URL('../../../../examples/workspace/canvases/order-status.json', import.meta.url);
const orderStatus = asCanvas(JSON.parse(readFileSync(file, 'utf8')))!;
const setting: TestSetting = {
  channel: 'whatsapp',
  company: { ordersUrl: 'http://127.0.0.1:4010' },
  user: { id: '5215512345678', names: 'Ana', phone: '5215512345678' },
};

it.each([
  ['which', 'timeout'],
  ['which', 'invalid'],
  ['look', 'error'],
  ['state', 'else'],
])('finds a conversation that leaves %s by %s', async (nodeId, port) => {
  const script = await findConversation([orderStatus], `${nodeId}.${port}`, setting, standardNodes);
  const { taken } = await createTester(standardNodes).start([orderStatus], script!, setting);
  expect(taken[portKey(nodeId, port)]).toBe(1);
});

it('says so where there is none', async () => {
  expect(await findConversation([orderStatus], 'look.sideways', setting, standardNodes)).toBeUndefined();
});
