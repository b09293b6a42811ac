import { describeEffectDriver, type DriverStage, type OtherSide } from '@hilo/testing/contracts';
import { createDialer, createFunctionDriver, createFunctionWorkers, createHttpDriver, type Dialer } from '../src/index.ts';
import { startHttp } from './local-servers.ts';

async function openHttpStage(): Promise<DriverStage> {
  const secret = 'tok-en-of-company-7';
  const server = await startHttp(({ url, headers }, response) => {
    switch (url.slice(1) as OtherSide) {
      case 'answers':
        return response.end('fine');
      case 'babbles':
        return response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
      case 'breaks':
        response.writeHead(200, { 'content-length': '1000' }).write('half');
        return setImmediate(() => response.socket?.destroy());
      case 'floods':
        return response.end('x'.repeat(3_000_000));
      case 'repeats':
        return response.writeHead(200, { 'x-heard': headers.authorization }).end(JSON.stringify({ heard: headers.authorization }));
      case 'hangs':
        return undefined;
    }
  });
  const dialer = createDialer({ allow: [server.host] });
  const credential = (companyId: string) => Promise.resolve(companyId === '7' ? { kind: 'bearer', token: secret } : undefined);
  return {
    driver: createHttpDriver({ dialer, credential }),
    request: (otherSide, timeoutMs) => ({
      method: 'POST',
      url: `http://${server.host}/${otherSide}`,
      headers: {},
      bodyKind: 'none',
      responseType: 'auto',
      credentialId: 'token',
      timeoutMs,
    }),
    keys: () => server.received.map(({ headers }) => headers['idempotency-key']).map(String),
    requests: () => server.received.length,
    secrets: [secret, Buffer.from(secret).toString('base64url')],
    async close() {
      await server.close();
      await dialer.close();
    },
  };
}

describeEffectDriver('http', openHttpStage, { otherSide: ['babbles', 'breaks', 'floods', 'repeats'] });

async function openFunctionStage(): Promise<DriverStage> {
  const keys: (string | undefined)[] = [];
  const request: Dialer['request'] = async ({ url, headers }) => {
    keys.push(headers?.['x-key']);
    return { status: 200, headers: {}, body: new Uint8Array(), url, retryAfterMs: undefined };
  };
  const workers = createFunctionWorkers({ dialer: { request } });
  const source = `export default async (otherSide, { idempotencyKey }) => {
    await fetch('https://told.test/', { headers: { 'X-Key': idempotencyKey } });
    switch (otherSide) {
      case 'answers': return 'fine';
      case 'babbles': return { toJSON: () => undefined };
      case 'breaks': setTimeout(() => { throw new Error('late'); }); return new Promise(() => {});
      case 'floods': return 'x'.repeat(3_000_000);
      case 'hangs': for (;;);
    }
  };`;
  const find = (companyId: string, functionId: string) =>
    Promise.resolve(companyId === '7' ? { companyId, functionId, source, deployment: 0 } : undefined);
  return {
    driver: createFunctionDriver({ workers, find }),
    request: (otherSide, timeoutMs) => ({ functionId: 'fn', body: otherSide, timeoutMs }),
    keys: () => keys,
    requests: () => keys.length,
    secrets: ['told.test'], // the source is the company's own
    close: workers.close,
  };
}

describeEffectDriver('function', openFunctionStage, { otherSide: ['babbles', 'breaks', 'floods'] });
