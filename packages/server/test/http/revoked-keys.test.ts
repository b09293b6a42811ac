/** A key that is revoked while a request with it is under way: what has not been accepted by then is refused. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ana, frames, listenOver, setStage, type Stage } from './calls.ts';
import { order } from './canvases.ts';
import { keys } from './fake-service.ts';

const body = JSON.stringify({ user: { id: ana } });
const head = [
  'POST /workflows/v2/webhooks/skill/order/whatsapp/hook HTTP/1.1',
  'Host: localhost',
  `X-Api-Key: ${keys.acme}`,
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  '',
  '',
].join('\r\n');

/** What a connection has received up to the end of one answer. */
async function answerOn(socket: Socket): Promise<string> {
  let text = '';
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString();
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    if (length !== undefined && text.split('\r\n\r\n').slice(1).join('\r\n\r\n').length >= Number(length)) return text;
  }
}

const startedOf = async ({ service }: Stage): Promise<number> => (await service.store.executions.list('1', { limit: 10 })).results.length;

describe.each(frames)('a key over %s', (frame) => {
  it('starts nothing when it is revoked before the body has come whole', async () => {
    const stage = await setStage();
    await stage.service.keep(order());
    const server = await listenOver(frame, stage, {});
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(async () => {
      socket.destroy();
      await server.close(0);
      await stage.service.close();
    });
    const company = stage.service.companies.companyOfApiKey.bind(stage.service.companies);
    let isRevoked = false;
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
    Object.assign(stage.service.companies, {
      companyOfApiKey(key: string) {
        read();
        return isRevoked ? undefined : company(key);
      },
    });
    socket.write(head + body.slice(0, 5));
    await isRead;
    isRevoked = true;
    socket.write(body.slice(5));
    expect(await answerOn(socket)).toContain('HTTP/1.1 401 Unauthorized');
    expect(await startedOf(stage)).toBe(0);
    isRevoked = false;
    socket.write(head + body);
    expect(await answerOn(socket)).toContain('HTTP/1.1 200 OK');
    expect(await startedOf(stage)).toBe(1);
  });
});
