import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { listen } from '../../src/platform/http/listen.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';

const page = readFileSync(new URL('../../../../docs/routes.md', import.meta.url), 'utf8').replaceAll('\r\n', '\n');
it('docs/routes.md names the header of a runtime token (AUT-04)', () => {
  expect(page).toContain('| `runtimeToken` | header `X-Service-Token` |');
});

const commands = Array.from(page.matchAll(/^### `(.*)`\n[^]*?```sh\n(.*)\n```/gm), ([, route = '', command = '']) => ({ route, command }));

/** What the answer to a route is, where it is not 200. */
const others: { readonly [route: string]: number } = {
  'POST /admin/v1/users/{userName}/login-link': 404, // the user was removed before
  'POST /admin/v1/logout': 204,
  'POST /admin/v1/functions/{functionId}/tokens': 410, // always (TOK-02)
  'POST /admin/v1/login': 401, // the page has no token
  'GET, POST, PUT, PATCH, DELETE /workflows/v2/resume/{token}': 404, // no canvas has given the address
  'GET /files/{token}': 404,
  'POST /payments/callbacks/{companyId}/{credentialId}': 401, // nor the signature
  'GET /channels/{botId}/webhook': 403, // no provider of the page asks
  'POST /channels/{botId}/flows/{workflowId}': 432, // nor does the page sign
  'POST /admin/v1/bots/{botId}/flow-key': 409, // the bot of the example has no forms
  'POST /admin/v1/companies/{companyId}/credentials/{credentialId}/login': 404, // the company of the example logs in nowhere
  'POST /admin/v1/credentials/login': 422,
  'POST /admin/v1/companies/{companyId}/templates': 409, // nor an interface for templates
  'POST /admin/v1/bots/{botId}/templates/sync': 409,
  'POST /admin/v1/companies/{companyId}/templates/{id}/submit': 409,
  'POST /admin/v1/mcp/tools': 409, // nobody answers at the address of the example
  'POST /admin/v1/workflows/{workflowId}/migrations': 202,
  'POST /admin/v1/executions/bulk': 202,
  'DELETE /admin/v1/companies/{companyId}/contacts/{id}': 202,
  'POST /admin/v1/companies/{companyId}/event-subscriptions': 201,
  'POST /admin/v1/companies/{companyId}/campaigns': 201,
  'POST /v1/campaigns': 201,
  'GET /admin/v1/companies/{companyId}/segments/{segment}': 404, // saved by the next command of the page, and removed by the one after it
  'GET /admin/v1/companies/{companyId}/segments/{segment}/preview': 404,
  'GET /admin/v1/companies/{companyId}/segments/{segment}/contacts': 404,
  'POST /chat/{botId}/read': 200, // whatever the name of the message
  'GET /admin/v1/workflows/{workflowId}/transcripts/{name}': 404, // kept by the next command of the page
};
/** Values of earlier answers, which the page leaves open: ids that do not exist. */
const leavesOpen = /\b[A-Z]+_ID\b/;

it('every command of docs/routes.md is answered as the page documents', { timeout: 600_000 }, async (context) => {
  if (spawnSync('curl', ['--version']).status !== 0) context.skip('there is no curl');
  await withPlace(async ({ directory, open }) => {
    const service = await open();
    await service.importWorkspace({ workspace: await inlineExample() });
    // A clean checkout has not built the script of the chat: here any bytes do.
    const script = new Uint8Array([0x3b]);
    const widget = { script, compressed: new Uint8Array(gzipSync(script)), etag: '"any"' };
    const app = createApp({ ...service, ...(service.chat !== undefined && { chat: { ...service.chat, widget } }) });
    // A stream has no end: curl gets its status.
    const fetch = async (...given: Parameters<typeof app.fetch>): Promise<Response> => {
      const answer = await app.fetch(...given);
      if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) return answer;
      await answer.body?.cancel();
      return new Response(null, { status: answer.status });
    };
    const listening = await listen(fetch, { host: '127.0.0.1', port: 0 });
    const folder = join(directory, 'shell');
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'data/admin.token'), service.settings.adminToken);
    const lines = commands.map(({ command }) => command.replace('curl -sS', String.raw`curl -sS -o /dev/null -w '%{http_code}\n'`));
    try {
      const shell = spawn('sh', ['-c', lines.join('\n').replaceAll('127.0.0.1:3000', `127.0.0.1:${listening.port}`)], { cwd: folder });
      const [answered, failed] = await Promise.all([textOf(shell.stdout), textOf(shell.stderr), once(shell, 'close')]);
      const statuses = answered.trim().split('\n').map(Number);
      expect(failed).toBe('');
      const expected = commands.map(({ route, command }) =>
        leavesOpen.test(command) && others[route] === undefined ? 404 : (others[route] ?? 200),
      );
      expect(commands.map(({ route }, index) => `${route} ${statuses[index]}`)).toEqual(
        commands.map(({ route }, index) => `${route} ${expected[index]}`),
      );
      expect(commands.length).toBeGreaterThan(60);
    } finally {
      await listening.close(0);
    }
  })();
});
