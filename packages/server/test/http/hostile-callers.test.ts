/** Many callers that do what a polite one never does: whatever they cut or pile up, each whole request has one answer and one consequence. */
import { connect, type Socket } from 'node:net';
import { getPath } from '@hilo/engine/contract';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Listening } from '../../src/platform/http/listen.ts';
import { frames, listenOver, setStage, type Stage } from './calls.ts';
import { order } from './canvases.ts';
import { keys } from './fake-service.ts';

const userOf = (number: number): string => String(5_215_512_340_000 + number);

/** The request of this number, for a user of its own. */
function requestOf(number: number): string {
  const body = JSON.stringify({ user: { id: userOf(number) } });
  const lines = ['Host: localhost', `X-Api-Key: ${keys.acme}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return `POST /workflows/v2/webhooks/skill/order/whatsapp/hook HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Answers on a connection, in their order: the status, and the id of the execution. */
function follow(socket: Socket): { readonly answers: () => readonly string[]; readonly has: (count: number) => Promise<void> } {
  let text = '';
  let heard = (): void => {};
  const answers = () => [...text.matchAll(/HTTP\/1\.1 (\d{3})[^]*?"executionId":"(\w+)"/g)].map(([, status, id]) => `${status} ${id}`);
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString();
    heard();
  });
  const has = (count: number) =>
    new Promise<void>((resolve) => {
      heard = () => (answers().length >= count ? resolve() : undefined);
      heard();
    });
  return { answers, has };
}

describe.each(frames)('over %s', (frame) => {
  let stage: Stage;
  let server: Listening;

  beforeEach(async () => {
    stage = await setStage();
    await stage.service.keep(order());
    server = await listenOver(frame, stage, {});
    return async () => {
      await server.close(0);
      await stage.service.close();
    };
  });

  const usersStarted = async (): Promise<readonly unknown[]> =>
    (await stage.service.store.executions.list('1', { limit: 200 })).results.map(({ state }) => state.origin.userId);

  it('32 callers that close in the middle start what came whole at most, once each, and take no place with them', async () => {
    const whole = requestOf(0).length;
    const cuts = fc.array(fc.oneof(fc.nat({ max: whole }), fc.constantFrom(whole - 1, whole)), { minLength: 32, maxLength: 32 });
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const before = await usersStarted();
        const sockets = at.map((bytes, number) => {
          const socket = connect(server.port, '127.0.0.1');
          socket.on('error', () => {});
          socket.write(requestOf(number).slice(0, bytes), () => socket.destroy());
          return socket;
        });
        await Promise.all(sockets.map(async (socket) => new Promise((resolve) => socket.once('close', resolve))));
        const last = connect(server.port, '127.0.0.1');
        const { answers, has } = follow(last);
        last.write(requestOf(99));
        await has(1);
        last.destroy();
        await stage.service.engine.whenIdle();
        expect(answers()[0]).toMatch(/^200 /);
        const started = await usersStarted();
        const mayStart = new Set([userOf(99), ...at.flatMap((bytes, number) => (bytes === whole ? [userOf(number)] : []))]);
        const added = started.filter((user) => !before.includes(user));
        expect(new Set(added).size).toBe(added.length);
        for (const user of added) expect(mayStart).toContain(user);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it('requests that come in one piece are answered in their order, each for its own user', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const { answers, has } = follow(socket);
    socket.write(Array.from({ length: 16 }, (_, number) => requestOf(number)).join(''));
    await has(16);
    socket.destroy();
    const users = await Promise.all(answers().map(async (answer) => (await stage.stateOf(answer.slice(4)))?.origin.userId));
    expect(answers().map((answer) => answer.slice(0, 3))).toEqual(Array.from({ length: 16 }, () => '200'));
    expect(users).toEqual(Array.from({ length: 16 }, (_, number) => userOf(number)));
  });

  it('a header that is named like a property of every object is data', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const { answers, has } = follow(socket);
    socket.write(requestOf(1).replace('Host:', '__proto__: a\r\nconstructor: b\r\ntoString: c\r\nconstructor: d\r\nHost:'));
    await has(1);
    socket.destroy();
    const state = await stage.stateOf(answers()[0]?.slice(4) ?? '');
    expect(getPath(state?.variables, ['$webhook', 'order', 'headers'])).toMatchObject({ tostring: 'c' });
  });
});
