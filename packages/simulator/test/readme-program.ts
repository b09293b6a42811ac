import { simulate } from '@hilo/simulator';

const conversation = await simulate({
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
await conversation.says('rate');
await conversation.passes('PT1H');
await conversation.says('4');
console.log(conversation.transcript());
