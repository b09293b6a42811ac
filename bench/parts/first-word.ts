/** How soon a visitor of the web chat sees the first word of a reply, once the model has sent it. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { defaultSettings, openService } from '../../packages/server/src/index.ts';
import { chatApp, openBrowser } from '../../packages/server/test/chat/chat-stage.ts';
import { inDirectory } from '../in-directory.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { median, percentile } from '../statistics.ts';
import { helper } from './agents.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** One visitor after the other asks, and reads the stream of the chat as a page does. */
export async function firstWord(quick: boolean, progress: Progress): Promise<Part> {
  const rounds = quick ? 5 : 40;
  let answer: (response: ServerResponse) => void = () => undefined;
  const model = createServer((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  model.listen(0, '127.0.0.1');
  await once(model, 'listening');
  const host = `127.0.0.1:${(model.address() as AddressInfo).port}`;
  try {
    const tookMs = await inDirectory(async (directory) => {
      const settings = { ...defaultSettings, data: join(directory, 'data'), adminToken: 'token-of-the-benchmark', egressAllow: [host] };
      const service = await openService(settings, { log: silent });
      const seen: number[] = [];
      try {
        const ask = await chatApp(service, helper(host, { tools: [], stream: true }));
        for (let round = -3; round < rounds; round += 1) {
          progress.say(`first word: ${round}`);
          const visitor = await openBrowser(ask);
          const reader = await visitor.events();
          const asked = new Promise<ServerResponse>((resolve) => {
            answer = (response) => resolve(response.writeHead(200, { 'content-type': 'text/event-stream' }));
          });
          const said = visitor.say('is A-17 there?');
          const response = await asked;
          const sentMs = performance.now();
          response.write(chunk({ role: 'assistant', content: 'Three' }));
          await reader.next('draft');
          if (round >= 0) seen.push(performance.now() - sentMs); // the first ones load the provider, and are compiled
          response.end(`${chunk({ content: ' are left.' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
          await said;
          await reader.cancel();
        }
        return seen;
      } finally {
        await service.close();
      }
    });
    progress.clear();
    const p99 = percentile(tookMs, 0.99);
    return {
      name: `A reply while it is written: its first word in the web chat, ${rounds} visitors`,
      unit: 'ms',
      contestants: [{ name: 'from the model to the page', median: median(tookMs), p99 }],
      aims: [atMost('the first word after the model sent it, p99, ms', p99, 100)],
    };
  } finally {
    model.closeAllConnections();
    model.close();
  }
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
