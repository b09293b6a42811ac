import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { painter } from './paint.ts';
import { run } from './run.ts';

/** The example, found from this file: from `src/cli` and from `dist/cli` the way is the same. */
const example = (path: string): string => fileURLToPath(new URL(`../../../../examples/workspace/${path}`, import.meta.url));

export const startCommand = (): Command =>
  new Command('start')
    .summary('run the example: in a terminal to talk to, else from its transcript')
    .description('Runs the example canvas. In a terminal you talk to it; without one its transcript is played.')
    .action(start);

async function start(): Promise<void> {
  const canvas = example('canvases/order-status.json');
  const script = example('transcripts/order-status.txt');
  if (!existsSync(canvas))
    throw new Error('The examples are part of the Hilo repository, and not of the package: give a canvas of your own to "hilo run CANVAS"');
  const circumstances = { channel: 'whatsapp', seed: 1 } as const;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    await run(canvas, { ...circumstances, script });
    return;
  }
  const paint = painter(process.stdout);
  process.stdout.write(`${paint('bold', 'Welcome to Hilo.')} You talk to a shop's bot, the example order-status.json.\n`);
  process.stdout.write(`${paint('dim', 'Try "order", then 1234; then play the shop: /api 200 {"state":"shipped"}')}\n\n`);
  await run(canvas, circumstances);
}
