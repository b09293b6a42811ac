// The canvases of the dialog for a new workflow, loaded with it.
import type { CanvasJson } from '../canvas/canvas-json.ts';

/** Templates for authors without a workflow yet. */
export const exampleCanvases: readonly CanvasJson[] = [
  {
    schemaVersion: 1,
    id: 'greeting',
    name: 'Greeting',
    kind: 'skill',
    description: 'Asks for a name and says hello',
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 0 }, data: { keywords: ['hello'], fallback: true } },
      {
        id: 'name',
        type: 'ask',
        position: { x: 328, y: 0 },
        data: { message: { type: 'text', text: 'What is your name?' }, input: { kind: 'text' }, saveAs: '$context.name', timeout: 'PT1H' },
      },
      { id: 'hello', type: 'message', position: { x: 656, y: 0 }, data: { message: { type: 'text', text: 'Hello {{$context.name}}!' } } },
      { id: 'done', type: 'end', position: { x: 984, y: 0 }, data: {} },
    ],
    edges: [
      { source: 'start', target: 'name' },
      { source: 'name', sourceHandle: 'answered', target: 'hello' },
      { source: 'name', sourceHandle: 'invalid', target: 'done' },
      { source: 'name', sourceHandle: 'timeout', target: 'done' },
      { source: 'hello', sourceHandle: 'sent', target: 'done' },
    ],
  },
  {
    schemaVersion: 1,
    id: 'menu',
    name: 'Menu',
    kind: 'skill',
    description: 'Three options, each with its answer',
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 64 }, data: { fallback: true } },
      {
        id: 'menu',
        type: 'ask',
        position: { x: 328, y: 64 },
        data: {
          message: { type: 'quick_reply', text: 'How can we help?', quick_replies: [{ title: 'Hours' }, { title: 'Place' }] },
          timeout: 'PT1H',
        },
      },
      { id: 'hours', type: 'message', position: { x: 656, y: 0 }, data: { message: { type: 'text', text: 'Monday to Friday, 9 to 18.' } } },
      { id: 'place', type: 'message', position: { x: 656, y: 160 }, data: { message: { type: 'text', text: 'Main street 1.' } } },
      { id: 'done', type: 'end', position: { x: 984, y: 64 }, data: {} },
    ],
    edges: [
      { source: 'start', target: 'menu' },
      { source: 'menu', sourceHandle: 'Hours', target: 'hours' },
      { source: 'menu', sourceHandle: 'Place', target: 'place' },
      { source: 'menu', sourceHandle: 'other', target: 'menu' },
      { source: 'menu', sourceHandle: 'timeout', target: 'done' },
      { source: 'hours', sourceHandle: 'sent', target: 'done' },
      { source: 'place', sourceHandle: 'sent', target: 'done' },
    ],
  },
  {
    schemaVersion: 1,
    id: 'order-ready',
    name: 'Order ready',
    kind: 'skill',
    description: 'Another system calls, and the user gets a message',
    nodes: [
      { id: 'hook', type: 'webhook', position: { x: 0, y: 0 }, data: { variableName: 'order', methods: ['POST'], userIdPath: 'userId' } },
      {
        id: 'tell',
        type: 'message',
        position: { x: 328, y: 0 },
        data: { message: { type: 'text', text: 'Your order {{$webhook.order.body.id}} is ready.' } },
      },
      { id: 'done', type: 'end', position: { x: 656, y: 0 }, data: {} },
    ],
    edges: [
      { source: 'hook', sourceHandle: 'new', target: 'tell' },
      { source: 'tell', sourceHandle: 'sent', target: 'done' },
    ],
  },
];
