import type { HistoryRecord } from '@hilo/engine/contract';
import { simulate, uncoveredPorts } from '@hilo/testing';
import fc from 'fast-check';

const survey = {
  schemaVersion: 1,
  id: 'survey',
  name: 'Survey',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'age',
      type: 'ask',
      data: {
        message: { type: 'text', text: 'How old are you?' },
        input: { kind: 'number', min: 0, max: 130 },
        attempts: 2,
        saveAs: '$context.age',
      },
    },
    { id: 'thanks', type: 'end', data: { outputs: { age: '{{$context.age}}' } } },
    { id: 'pity', type: 'end', data: { outcome: 'failed' } },
  ],
  edges: [
    { source: 'begin', target: 'age' },
    { source: 'age', sourceHandle: 'answered', target: 'thanks' },
    { source: 'age', sourceHandle: 'invalid', target: 'pity' },
  ],
};

// For any input: the survey ends with an age, or without one.
const written = fc.oneof(fc.integer({ min: -10, max: 140 }).map(String), fc.string({ minLength: 1 }));
const histories: (readonly HistoryRecord[])[] = [];
await fc.assert(
  fc.asyncProperty(written, written, async (...answers) => {
    const conversation = await simulate(survey);
    for (const text of ['hi', ...answers]) await conversation.says(text);
    histories.push(await conversation.history());
    const [first] = await conversation.executions();
    const { status, ending } = first?.state ?? {};
    const age = ending?.outputs['age'];
    return status === 'failed' || (status === 'completed' && typeof age === 'number' && age >= 0 && age <= 130);
  }),
  { numRuns: 50 },
);
// A property that holds may have tried little: these ports of the canvas no run has left by.
console.log(uncoveredPorts(survey, histories).never);
