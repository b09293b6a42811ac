// The ten nodes as a flow of Node-RED in this process, without its HTTP side: template nodes, switches, a function that sends.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import RED from 'node-red';

const set = (field, next, template) => ({
  id: `node-${field}`, // Node-RED treats a node whose id is in another's settings as its configuration

  type: 'template',
  z: 'flow',
  field,
  fieldType: 'msg',
  format: 'text',
  syntax: 'mustache',
  template,
  output: 'str',
  wires: [[`node-${next}`]],
});
const condition = (name, property, rule, next) => ({
  id: `node-${name}`,
  type: 'switch',
  z: 'flow',
  property,
  propertyType: 'msg',
  rules: [rule, { t: 'else' }],
  checkall: 'false',
  outputs: 2,
  wires: [[`node-${next}`], ['ended']],
});

const flow = [
  { id: 'flow', type: 'tab', label: 'Ten nodes' },
  { id: 'hook', type: 'link in', z: 'flow', wires: [['node-greeting']] },
  set('greeting', 'reference', 'Hello {{{body.customer.name}}}'),
  set('reference', 'isLarge', 'order {{{body.id}}}'),
  condition('isLarge', 'body.total', { t: 'gt', v: '100', vt: 'num' }, 'shipping'),
  set('shipping', 'line', '{{{reference}}} ships free'),
  set('line', 'isGold', '{{{greeting}}}, {{{shipping}}}'),
  condition('isGold', 'body.customer.tier', { t: 'eq', v: 'gold', vt: 'str' }, 'thanks'),
  set('thanks', 'text', '{{{line}}}. Thank you, {{{body.customer.name}}}'),
  set('text', 'send', '{{{thanks}}} ({{{reference}}})'),
  { id: 'node-send', type: 'function', z: 'flow', func: "global.get('send')(msg.text); return msg;", outputs: 1, wires: [['ended']] },
  { id: 'ended', type: 'function', z: 'flow', func: "global.get('ended')(msg.text);", outputs: 0, wires: [] },
];

/** It runs once in a process. */
let runtime;

/** @param {import('../work.ts')} work */
export async function nodeRed({ check, orderOf }) {
  runtime ??= startRuntime();
  const { sink, execute } = await runtime;
  sink.count = 0;
  return {
    async run(first, count) {
      for (let number = first; number < first + count; number += 1) check(number, await execute(orderOf(number)), sink);
    },
  };
}

async function startRuntime() {
  const sink = { count: 0, last: '' };
  let ended = () => {};
  const userDir = mkdtempSync(join(tmpdir(), 'hilo-bench-node-red-'));
  process.once('exit', () => rmSync(userDir, { recursive: true, force: true }));
  writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flow));
  RED.init(createServer(), {
    userDir,
    flowFile: 'flows.json',
    httpAdminRoot: false,
    httpNodeRoot: false,
    credentialSecret: false,
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: 'fatal', metrics: false, audit: false } },
    functionGlobalContext: {
      send(text) {
        sink.count += 1;
        sink.last = text;
      },
      ended: (text) => ended(text),
    },
  });
  const started = new Promise((resolve) => RED.events.once('flows:started', resolve));
  await RED.start();
  await started;
  const hook = RED.nodes.getNode('hook');
  const execute = (body) =>
    new Promise((resolve) => {
      ended = resolve;
      hook.receive({ body });
    });
  return { sink, execute };
}
