// One contestant from nothing to the end of its first execution: what a process that starts for it has to do.
import { randomFillSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const peers = {
  robot3: ['robot-machine.mjs', 'robotMachine'],
  xstate: ['xstate-machine.mjs', 'xstateMachine'],
  'sequential-workflow': ['sequential-workflow.mjs', 'sequentialWorkflow'],
  'bpmn-engine': ['bpmn-engine.mjs', 'bpmnEngine'],
  langgraph: ['langgraph.mjs', 'langGraph'],
  mastra: ['mastra.mjs', 'mastra'],
  'node-red': ['node-red.mjs', 'nodeRed'],
};

const orderOf = (number) => ({ id: `A-${number}`, total: 120, customer: { id: '51999000111', name: 'Ana', tier: 'gold' } });
function check(number, text, sink) {
  if (!text?.endsWith(`Thank you, Ana (order A-${number})`) || sink.count !== 1) throw new Error(`The execution went wrong: ${text}`);
}

const name = process.argv[2];
if (name === 'hilo') await runHilo();
else if (name === 'hilo-import') await importHilo();
else if (name in peers) {
  const [file, create] = peers[name];
  const contestant = await (await import(`./contestants/${file}`))[create]({ check, orderOf });
  await contestant.run(0, 1);
}
const { user, system } = process.cpuUsage();
process.stdout.write(`\nworked ${(user + system) / 1_000} ms\n`, () => process.exit(0));

/** The packages as they are published, installed in a folder of their own. */
function importHilo() {
  const { resolve } = createRequire(join(import.meta.dirname, 'node_modules/.hilo/package.json'));
  const load = (entry) => import(pathToFileURL(resolve(entry)).href);
  return Promise.all(['@hilo/engine', '@hilo/nodes', '@hilo/nodes/effects', '@hilo/engine/contract'].map(load));
}

async function runHilo() {
  const [{ createEngine, parseCanvas }, { standardNodes }, { sendMessage }, { drive, getPath }] = await importHilo();
  const sink = { count: 0, last: '' };
  const set = (id, value) => ({ id, type: 'set', data: { assignments: [{ path: `$context.${id}`, value }] } });
  const nodes = [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'customer.id' } },
    set('reference', 'order {{$webhook.order.body.id}}'),
    set('text', 'Thank you, {{$webhook.order.body.customer.name}} ({{$context.reference}})'),
    { id: 'send', type: 'message', data: { message: { type: 'text', text: '{{$context.text}}' } } },
    { id: 'done', type: 'end', data: {} },
  ];
  const ports = { hook: 'new', reference: 'next', text: 'next', send: 'sent' };
  const edges = nodes.slice(0, -1).map(({ id }, index) => ({ source: id, sourceHandle: ports[id], target: nodes[index + 1].id }));
  const engine = createEngine({
    nodes: standardNodes,
    drivers: [
      drive(sendMessage, ({ message }) => {
        sink.count += 1;
        sink.last = String(getPath(message, ['text']));
        return { kind: 'sent', messageId: 'm-1' };
      }),
    ],
    clock: { now: Date.now, setTimeout, clearTimeout },
    random: { bytes: (length) => randomFillSync(new Uint8Array(length)) },
  });
  const { canvas } = parseCanvas(JSON.stringify({ schemaVersion: 1, id: 'cold', name: 'cold', nodes, edges }));
  await engine.saveDraft('1', canvas);
  await engine.publish('1', 'cold');
  const call = { companyId: '1', workflowId: 'cold', nodeId: 'hook', route: 'production', channel: 'whatsapp', botId: 'bot' };
  await engine.receiveWebhook({ ...call, request: { method: 'POST', headers: {}, query: {}, body: orderOf(1) } });
  await engine.whenIdle();
  check(1, sink.last, sink);
}
