// Drivers of functions and of code for the contract of drivers.
import type { RemoteBehaviour, DriverStage } from '@hilo/testing/contracts';
import {
  type CodeWorkers,
  createCodeDriver,
  createCodeWorkers,
  createFunctionDriver,
  createFunctionWorkers,
  type Dialer,
} from '../../src/index.ts';

export async function openFunctionStage(): Promise<DriverStage> {
  const keys: (string | undefined)[] = [];
  const request: Dialer['request'] = async ({ url, headers }) => {
    keys.push(headers?.['x-key']);
    return { status: 200, headers: {}, body: new Uint8Array(), url, retryAfterMs: undefined };
  };
  const workers = createFunctionWorkers({ dialer: { request } });
  const source = `export default async (behaviour, { idempotencyKey }) => {
    await fetch('https://told.test/', { headers: { 'X-Key': idempotencyKey } });
    switch (behaviour) {
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
    request: (behaviour, timeoutMs) => ({ functionId: 'fn', body: behaviour, timeoutMs }),
    keys: () => keys,
    requests: () => keys.length,
    secrets: ['told.test'], // the source is the company's own
    close: workers.close,
  };
}

const sources: { readonly [behaviour in RemoteBehaviour]: string } = {
  answers: 'return "fine";',
  babbles: 'return () => 1;',
  breaks: 'const all = []; for (;;) all.push({ all });',
  floods: 'return "x".repeat(3_000_000);',
  hangs: 'for (;;);',
  repeats: `const here = Object.constructor('return this')();
    return [Object.getOwnPropertyNames(here), here.process?.env, new Error().stack];`,
};

/** The host knows a secret by its environment; what code runs with is in the request. */
export async function openCodeStage(): Promise<DriverStage> {
  const [name, secret] = ['HILO_TEST_CANARY', 'canary-of-the-host'];
  process.env[name] = secret;
  const workers = createCodeWorkers();
  let [underWay, done] = [0, 0];
  /** Counts what ran in the process of company 7: a run that was turned away did not. */
  const run: CodeWorkers['run'] = async (companyId, ...asked) => {
    if (companyId !== '7') return workers.run(companyId, ...asked);
    underWay += 1;
    const result = await workers.run(companyId, ...asked);
    underWay -= 1;
    if (result.kind === 'returned' || result.reason !== 'unavailable') done += 1;
    return result;
  };
  return {
    driver: createCodeDriver({ workers: { run } }),
    request: (behaviour, timeoutMs) => ({ source: sources[behaviour], input: {}, nowMs: 0, seed: 7, timeoutMs, memoryMb: 16 }),
    keys: () => [],
    requests: () => underWay + done,
    secrets: [secret],
    async close() {
      await workers.close();
      delete process.env[name];
    },
  };
}
