import { simulate } from '@hilo/testing';
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

// Whatever people write: the survey ends with an age, or says that it has none.
await fc.assert(
  fc.asyncProperty(fc.tuple(fc.string({ minLength: 1 }), fc.string({ minLength: 1 })), async (answers) => {
    const talk = await simulate(survey);
    for (const text of ['hi', ...answers]) await talk.says(text);
    const [first] = await talk.executions();
    const { status, ending } = first?.state ?? {};
    const age = ending?.outputs['age'];
    return status === 'failed' || (status === 'completed' && typeof age === 'number' && age >= 0 && age <= 130);
  }),
  { numRuns: 50 },
);
console.log('holds');
