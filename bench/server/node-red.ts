import { join } from 'node:path';
import type { Program } from './start-server.ts';

/** Fills a place in a text: what a `change` node does without a script. */
const fill = (property: string, place: string, value: string) => ({
  t: 'change',
  p: property,
  pt: 'msg',
  from: place,
  fromt: 'str',
  to: value,
  tot: 'msg',
});
const set = (property: string, type: 'msg' | 'str', value: string) => ({ t: 'set', p: property, pt: 'msg', to: value, tot: type });

/** Http in, change, switch, change, http response. */
const flow = [
  { id: 'flow', type: 'tab', label: 'Order' },
  { id: 'hook', type: 'http in', z: 'flow', url: '/order', method: 'post', wires: [['greet']] },
  {
    id: 'greet',
    type: 'change',
    z: 'flow',
    rules: [
      set('answer.id', 'msg', 'payload.id'),
      set('answer.text', 'str', 'Hello {name}'),
      fill('answer.text', '{name}', 'payload.customer.name'),
    ],
    wires: [['isLarge']],
  },
  {
    id: 'isLarge',
    type: 'switch',
    z: 'flow',
    property: 'payload.total',
    propertyType: 'msg',
    rules: [{ t: 'gt', v: '100', vt: 'num' }, { t: 'else' }],
    checkall: 'false',
    outputs: 2,
    wires: [['ship'], ['answer']],
  },
  {
    id: 'ship',
    type: 'change',
    z: 'flow',
    rules: [
      set('text', 'str', '{text}, order {id} ships free'),
      fill('text', '{text}', 'answer.text'),
      fill('text', '{id}', 'payload.id'),
      set('answer.text', 'msg', 'text'),
      set('payload', 'msg', 'answer'),
    ],
    wires: [['answer']],
  },
  { id: 'answer', type: 'http response', z: 'flow', statusCode: '200', headers: {}, wires: [] },
];

const settings = {
  uiHost: '127.0.0.1',
  httpAdminRoot: false, // no editor, no interface to deploy through
  telemetry: { enabled: false, updateNotification: false },
  credentialSecret: false,
};

/** Node-RED as its own command starts it, with a user directory of its own. */
export const nodeRed: Program = {
  title: 'Node-RED, nothing kept',
  files: { 'flows.json': flow, 'settings.json': settings },
  args: (directory) => [
    join(import.meta.dirname, '../node_modules/node-red/red.js'),
    '--port=0',
    `--userDir=${directory}`,
    `--settings=${join(directory, 'settings.json')}`,
    'flows.json',
  ],
  isUp: /now running at (http:\S+)[^]*Started flows/,
  path: '/order',
  calls: 'orders',
};
