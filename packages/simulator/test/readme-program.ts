import { simulate } from '@hilo/simulator';

const talk = await simulate({
  schemaVersion: 1,
  id: 'rating',
  name: 'Rating',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['rate'] } },
    {
      id: 'stars',
      type: 'ask',
      data: {
        message: { type: 'text', text: 'How many stars?' },
        input: { kind: 'number', min: 1, max: 5 },
        saveAs: '$context.stars',
        timeout: 'PT2H',
      },
    },
    { id: 'done', type: 'end', data: { outputs: { stars: '{{$context.stars}}' } } },
  ],
  edges: [
    { source: 'begin', target: 'stars' },
    { source: 'stars', sourceHandle: 'answered', target: 'done' },
  ],
});
await talk.says('rate');
await talk.passes('PT1H');
await talk.says('4');
console.log(talk.transcript());
