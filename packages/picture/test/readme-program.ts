import { standardNodes } from '@hilo/nodes';
import { drawCanvas } from '@hilo/picture';

const canvas = {
  schemaVersion: 1,
  id: 'hello',
  name: 'Hello',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    { id: 'done', type: 'end' },
  ],
  edges: [{ source: 'begin', target: 'done' }],
};
const { svg } = drawCanvas(canvas, standardNodes);
console.log(svg.startsWith('<svg'), svg.includes('hello'));
