import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runtimeVariables } from './data/runtime.ts';
import { adminToken, type Ended, ended, headersOfOperator, root, startHilo } from './hilo-process.ts';

/** The workspace of the examples. */
export const exampleWorkspace = join(root, 'examples/workspace/workspace.json');

/** The key of its first company. */
export const exampleKey = 'hk_acme_0123456789abcdef';

/** A service that runs in a process of its own, until it is disposed of. */
export interface ServiceProcess extends AsyncDisposable {
  readonly url: string;
  /** What it has printed. */
  output(): string;
  /** Resolves when it has ended, for any reason. */
  readonly over: Promise<Ended>;
  /** Its number at the operating system. */
  readonly pid: number | undefined;
  /** Sends a signal. */
  signal(name: NodeJS.Signals): void;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
}

/** Starts `hilo serve` on a free port and waits until it is up. @throws {Error} with its output, when it ends instead */
export async function startService(
  data: string,
  args: readonly string[] = ['--workspace', exampleWorkspace],
  env: { readonly [name: string]: string } = {},
): Promise<ServiceProcess> {
  const child = startHilo(['serve', '--port', '0', '--data', data, ...args], {
    env: { HILO_ADMIN_TOKEN: adminToken, ...(await runtimeVariables(data)), ...env },
  });
  child.stdin.end();
  let output = '';
  const end = ended(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      const [, found] = /(?:address +|"address":")(http:\/\/[^\s"]+)[^]*(?:docs|"Hilo is up")[^]*\n/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    void end.then(({ code, stderr }) => reject(new Error(`It ended with ${code}: ${stderr}`)));
  });
  const kill = (signal: NodeJS.Signals): Promise<Ended> => {
    child.kill(signal);
    return end;
  };
  return {
    url,
    output: () => output,
    over: end,
    pid: child.pid,
    signal: (name) => void child.kill(name),
    end: kill,
    [Symbol.asyncDispose]: async () => void (await kill('SIGKILL')),
  };
}

/** An empty directory, until it is disposed of. */
export function emptyDirectory(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'hilo-serve-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Asks a service, as its operator where only operators may ask. */
export async function ask(
  url: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { readonly method?: string; readonly headers?: { readonly [name: string]: string }; readonly body?: object } = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headersOfOperator(path), ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Starts an execution of the example that waits for a payment. @returns its id */
export async function startReminder(url: string): Promise<string> {
  const { body } = await ask(url, '/workflows/v2/webhooks/skill/payment-reminder/whatsapp/wh1', {
    method: 'POST',
    headers: { 'x-api-key': exampleKey },
    body: { user: { id: '5215512345678' }, number: 'F-7', amount: '120' },
  });
  return (body as { readonly executionId: string }).executionId;
}

/** Asks for an execution until it waits: what comes before that may still be under way. */
export async function untilItWaits(url: string, executionId: string): Promise<Answer> {
  for (;;) {
    const answer = await ask(url, `/admin/v1/executions/${executionId}?companyId=1`);
    if (answer.status !== 200 || (answer.body as { readonly status: string }).status !== 'running') return answer;
  }
}
