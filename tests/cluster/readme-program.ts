import { simulateCluster } from './simulate-cluster.ts';

const reminder = {
  schemaVersion: 1,
  id: 'reminder',
  name: 'Reminder',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'pause', type: 'delay', data: { duration: 'PT10M' } },
    { id: 'remind', type: 'message', data: { message: { type: 'text', text: 'You wanted to write to us' } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'pause' },
    { source: 'pause', sourceHandle: 'elapsed', target: 'remind' },
    { source: 'remind', sourceHandle: 'sent', target: 'done' },
  ],
};

// Three processes share a store; one dies now and then, deliveries come twice, answers of the store get lost.
const faults = { kill: 0.02, duplicate: 0.3, 'lost reply': 0.05 };
for (let seed = 1; seed <= 20; seed += 1) {
  const { findings } = await simulateCluster({ canvases: [reminder], seed, processes: 3, isShared: true, faults });
  if (findings.length > 0) console.log(`seed ${seed}`, findings);
}
console.log('holds');
