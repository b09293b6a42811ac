/** Flows of 25 messages each, one below the other, each of which the one above leads to; nothing is wrong with them. */
export function manyFlows(id: string, flows: number, text = 'Hello {{$user.names}}') {
  const all = Array.from({ length: flows }, (_flow, flow) => Array.from({ length: 25 }, (_step, step) => ({ flow, step })));
  return {
    schemaVersion: 1,
    id,
    name: id,
    nodes: [
      { id: 'begin', type: 'start', position: { x: -328, y: 0 }, data: { fallback: true } },
      ...all.flat().map(({ flow, step }) => ({
        id: `n${flow}-${step}`,
        type: 'message',
        position: { x: step * 328, y: flow * 200 },
        data: { message: { type: 'text', text } },
      })),
      { id: 'finish', type: 'end', position: { x: 25 * 328, y: (flows - 1) * 200 } },
    ],
    edges: [
      { source: 'begin', target: 'n0-0' },
      ...all
        .flat()
        .flatMap(({ flow, step }) =>
          step < 24
            ? [{ source: `n${flow}-${step}`, sourceHandle: 'sent', target: `n${flow}-${step + 1}` }]
            : flow < flows - 1
              ? [{ source: `n${flow}-24`, sourceHandle: 'sent', target: `n${flow + 1}-0` }]
              : [{ source: `n${flow}-24`, sourceHandle: 'sent', target: 'finish' }],
        ),
    ],
  };
}
