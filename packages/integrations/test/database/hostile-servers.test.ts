import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, createCertificate, type Pair } from '../../../drivers/test/certificates.ts';
import { during } from '../../../drivers/test/dialers.ts';
import { startTcp } from '../../../drivers/test/local-servers.ts';
import { type Asked, ask } from './ask.ts';

let ca: Pair;
let server: Pair;
beforeAll(async () => {
  ca = await createAuthority('Test authority');
  server = await createCertificate(ca, ['db.test']);
});

const query: Asked = { operation: 'query', sql: 'select 1', parameters: [], readOnly: false, maxRows: 10 };

/** Asks a server that talks like this, over TLS where it takes that up. */
async function asked(kind: 'postgresql' | 'mysql', tls: 'off' | 'verify', talk: (socket: Socket) => void, timeoutMs = 1_500) {
  const { port } = await during(startTcp(talk));
  const credential = { kind, host: 'db.test', port, database: 'shop', username: 'hilo', password: 'canary', tls };
  const options = { allow: [`db.test:${port}`], ca: ca.cert, resolve: () => Promise.resolve(['127.0.0.1']) };
  return ask({ credential, options })({ ...query, timeoutMs });
}

const secured = (socket: Socket): TLSSocket => {
  const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(server) });
  secure.on('error', () => undefined);
  return secure;
};

/** A server of PostgreSQL that says these bytes to whatever it is asked. */
const postgres = (tls: 'off' | 'verify', said: Buffer) => (socket: Socket) => {
  const answer = (to: Socket): void => void to.once('data', () => to.write(said));
  if (tls === 'off') return answer(socket);
  socket.once('data', () => {
    socket.write('S');
    answer(secured(socket));
  });
};

/** A server of MySQL that takes whoever comes, and says these bytes unasked. */
const mysql = (tls: 'off' | 'verify', said: Buffer) => (socket: Socket) => {
  const packet = (number: number, body: Buffer): Buffer => Buffer.from([body.length, 0, 0, number, ...body]);
  const rest = `${'00'.repeat(4)}${'61'.repeat(8)}00ffff2102000081${'15'}${'00'.repeat(10)}${'61'.repeat(12)}00`;
  socket.write(packet(0, Buffer.concat([Buffer.from('\x0a8.0.30\0'), hex(rest), Buffer.from('mysql_native_password\0')])));
  const welcome = hex('00 00 00 0200 0000');
  const answer = (to: Socket, number: number): void =>
    void to.once('data', () => to.write(Buffer.concat([packet(number, welcome), packet(number + 1, said)])));
  if (tls === 'off') return answer(socket, 2);
  socket.once('data', (chunk: Buffer) => {
    socket.pause();
    socket.unshift(chunk.subarray(36)); // behind the client's word that it goes on with TLS, it may have gone on
    answer(secured(socket), 3);
  });
};

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe.each(['off', 'verify'] as const)('a server that is none, with TLS %s (P17, P20)', (tls) => {
  it.each([
    ['an error without an end', '45 0000000a 53 4142 43 4445'],
    ['an error that ends behind itself', '45 00000006 53 41 00 00'],
    ['an empty error', '45 00000004'],
    ['a notice of no length', '4e 00000000'],
    ['a message shorter than its own length', '52 00000003'],
    ['a sign-in of an unknown kind', '52 00000008 00000063'],
    ['rows with more columns than it sends', '52 00000008 00000000 54 00000006 01f4'],
    ['a count below zero', '52 00000008 00000000 44 00000006 fff6'],
  ])('ends a call of PostgreSQL and nothing else with %s', async (_what, said) => {
    expect(await asked('postgresql', tls, postgres(tls, hex(said)))).toMatchObject({ kind: 'failed', outcome: 'failed' });
  });

  it.each([
    ['an error that is cut off', 'ff'],
    ['nothing', ''],
  ])('ends a call of MySQL and nothing else with %s', async (_what, said) => {
    expect(await asked('mysql', tls, mysql(tls, hex(said)))).toMatchObject({ kind: 'failed' });
  });
});

describe('TLS of PostgreSQL', () => {
  it('takes an error of a whole shape for an answer, over a connection that is verified', async () => {
    const said = Buffer.concat([hex('45 00000013'), Buffer.from('SFATAL\0C28P01\0\0')]);
    expect(await asked('postgresql', 'verify', postgres('verify', said), 20_000)).toMatchObject({ reason: 'refused', code: '28P01' });
  });

  it.each([
    ['declines', 'N'],
    ['says more than one byte, which may be another’s', `S${'R'}`],
  ])('is not gone without where the server %s', async (_what, answer) => {
    const talk = (socket: Socket): void => void socket.once('data', () => socket.write(answer));
    expect(await asked('postgresql', 'verify', talk, 20_000)).toMatchObject({
      reason: 'unreachable',
      outcome: 'failed',
      message: expect.stringContaining('does not speak TLS') as unknown,
    });
  });
});
