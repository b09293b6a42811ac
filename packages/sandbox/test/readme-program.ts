import { createSandbox } from '@hilo/sandbox';

const run = createSandbox();
const answer = await run({
  source: "return input.items.filter((item) => item.price > 10).map((item) => item.name).join(', ')",
  input: JSON.stringify({
    items: [
      { name: 'lamp', price: 40 },
      { name: 'cable', price: 4 },
    ],
  }),
  nowMs: Date.now(),
  seed: 7,
  timeoutMs: 1_000,
  memoryMb: 64,
});
console.log(answer);
