import type { JsonObject } from '@hilo/engine/contract';

/** A bot that says two things: a start, two messages and an end in a row. @param start - what begins it; anything where left out */
export const twoMessages = (id: string, start: JsonObject = { fallback: true }) => ({
  schemaVersion: 1,
  id,
  name: 'Two messages',
  nodes: [
    { id: 'begin', type: 'start', position: { x: 0, y: 0 }, data: start },
    { id: 'hello', type: 'message', position: { x: 328, y: 0 }, data: { message: { type: 'text', text: 'Hello' } } },
    { id: 'bye', type: 'message', position: { x: 656, y: 0 }, data: { message: { type: 'text', text: 'Bye' } } },
    { id: 'done', type: 'end', position: { x: 984, y: 0 } },
  ],
  edges: [
    { source: 'begin', target: 'hello' },
    { source: 'hello', sourceHandle: 'sent', target: 'bye' },
    { source: 'bye', sourceHandle: 'sent', target: 'done' },
  ],
});
