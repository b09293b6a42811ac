import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminToken } from '../hilo-process.ts';
import { made, startMediaHost } from '../rest/media-host.ts';
import { ask, emptyDirectory, exampleKey, exampleWorkspace, type ServiceProcess, startService } from '../service-process.ts';
import { callsWith, type Seen } from './calls.ts';
import { type AuthScheme, type GeneratedClient, generateClient, typeProblems } from './generate.ts';

let host: Awaited<ReturnType<typeof startMediaHost>>;
let service: ServiceProcess;
let client: GeneratedClient;
let document: { readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly operationId: string } } } };
const [data, folder] = [emptyDirectory(), emptyDirectory()];

beforeAll(async () => {
  host = await startMediaHost();
  const args = ['--workspace', exampleWorkspace, '--egress-allow', host.host, '--egress-ca', host.egressCa];
  service = await startService(data.path, args);
  document = (await ask(service.url, '/openapi.json')).body as typeof document;
  client = await generateClient(document, folder.path);
  client.configure({ baseUrl: service.url, auth: signIn });
}, 120_000);
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await host.close();
  for (const directory of [data, folder]) directory[Symbol.dispose]();
}, 120_000);

/** The credentials of the example, for each way in that the document names. */
function signIn({ type, scheme, name }: AuthScheme): string | undefined {
  if (type === 'http') return scheme === 'basic' ? 'acme-client:s3c:ret-of-acme' : exampleKey;
  return name === 'x-api-key' ? exampleKey : undefined;
}

/** Functions and management both take a bearer token: the caller chooses which. */
const ofOperator = (operation: string): object => (namesBelow('/admin/v1/').includes(operation) ? { auth: adminToken } : {});

/** The names of the operations whose paths begin so. */
const namesBelow = (start: string): readonly string[] =>
  Object.entries(document.paths)
    .filter(([path]) => path.startsWith(start))
    .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId));

/** The addresses of files, each served once. */
function fileUrls(): (type: string) => string {
  const files = new Map([
    ['image', host.serve({ bytes: made.jpeg(), type: 'image/jpeg' })],
    ['audio', host.serve({ bytes: made.ogg(), type: 'audio/ogg' })],
    ['video', host.serve({ bytes: made.mp4(), type: 'video/mp4' })],
    ['file', host.serve({ bytes: made.pdf(), type: 'application/pdf' })],
    ['sticker', host.serve({ bytes: made.webp(), type: 'image/webp' })],
  ]);
  return (type) => files.get(type) ?? '';
}

const example: Seen = { messageId: 'msg_1', executionId: 'exec_1' };

describe('a client that a public generator makes of /openapi.json', () => {
  it('compiles, and so do the calls of the specification', () => {
    const calls = callsWith(() => 'https://media.test/file').map(({ operation, options }) => ({ operation, options: options(example) }));
    expect(typeProblems(folder.path, calls)).toBe('');
  }, 120_000);

  it('makes each call of the specification with success (GEN-03)', async () => {
    let seen = example;
    for (const { operation, options, answer } of callsWith(fileUrls())) {
      const given = options(seen);
      const { data: got, error, response } = (await client.operations.get(operation)?.({ ...given, ...ofOperator(operation) })) ?? {};
      expect({ operation, given, status: response?.status, got, error }).toMatchObject({ status: 200, got: answer(seen) });
      const { messageId, executionId } = got as Partial<Seen>;
      seen = { messageId: messageId ?? seen.messageId, executionId: executionId ?? seen.executionId };
    }
  }, 120_000);

  it('has every operation of the REST API', () => {
    const called = new Set(callsWith(() => '').map(({ operation }) => operation));
    const webhooks = namesBelow('/v1/webhook/');
    const operations = namesBelow('/v1/').filter((name) => !webhooks.includes(name));
    expect(operations).toHaveLength(17);
    // Those that the specification does not have.
    const further = ['makeCampaign', 'addCampaignRecipients', 'pauseCampaign', 'resumeCampaign', 'getCampaignResults', 'getCampaignReport'];
    expect(operations.filter((operation) => !called.has(operation)).toSorted()).toEqual(further.toSorted());
  });
});
