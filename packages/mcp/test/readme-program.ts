import { authoringTools, openDocs } from '@hilo/mcp';
import { runSimulation } from '@hilo/mcp/simulation';
import { standardNodes } from '@hilo/nodes';

const canvas = {
  schemaVersion: 1,
  id: 'hello',
  name: 'Hello',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Good day!' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'greet' },
    { source: 'greet', sourceHandle: 'sent', target: 'done' },
  ],
};
const task = { canvases: [JSON.stringify(canvas)], scripts: [{ name: 'first', text: 'user: hello\n' }] };
const { never } = await runSimulation(standardNodes, task);
console.log(authoringTools.length, openDocs().pages.includes('nodes/ask'), never);
