import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import type { Canvas } from '@hilo/engine/contract';
import type { Bot, RunningService } from '@hilo/server';
import { exampleRequest } from '../run/example-call.ts';

/** The example workspace of the repository; the relative path is the same from `src` and from `dist`. */
const exampleWorkspace = fileURLToPath(new URL('../../../../examples/workspace/workspace.json', import.meta.url));

/** The key of the example, which everyone can read in the repository; any other is never written down. */
const exampleKey = 'hk_acme_0123456789abcdef';

/** More companies than these are not looked through for an example. */
const maxCompanies = 10;

/**
 * A shell command that starts an execution and shows it; `undefined` when no published webhook has a method. With the example
 * workspace it works unchanged.
 *
 * @param origin - the address of the service, such as `http://127.0.0.1:3000`
 */
export async function exampleCurl(
  { companies, store, settings, adminTokenFile }: Pick<RunningService, 'companies' | 'store' | 'settings' | 'adminTokenFile'>,
  origin: string,
): Promise<string | undefined> {
  for (const { id } of companies.all().slice(0, maxCompanies)) {
    const [bot] = companies.bots(id).toSorted(byConnection);
    if (bot === undefined) continue;
    for (const { canvas } of await store.canvases.published(id)) {
      const start = startLine(canvas, bot, origin, settings.workspace);
      if (start !== undefined)
        return `${start} --next -sS ${adminHeader(adminTokenFile?.path)} '${origin}/admin/v1/executions?companyId=${id}&limit=1'`;
    }
  }
  return undefined;
}

const byConnection = (one: Bot, other: Bot): number => one.connectedAtMs - other.connectedAtMs;

/** Names the file or the variable that holds the token, so that the token itself is not printed. */
const adminHeader = (tokenFile: string | undefined): string =>
  `-H "Authorization: Bearer ${tokenFile === undefined ? '$HILO_ADMIN_TOKEN' : `$(cat ${quote(tokenFile)})`}"`;

function startLine(canvas: Canvas, { channel }: Bot, origin: string, workspace: string | undefined): string | undefined {
  const request = exampleRequest(canvas, { userId: '5215512345678' });
  if (request === undefined || canvas.nodes.some(({ type }) => type === 'start')) return undefined;
  const { nodeId, method, body, query = {} } = request;
  const parameters = new URLSearchParams(query).toString();
  const address = `${origin}/workflows/v2/webhooks/skill/${canvas.id}/${channel}/${nodeId}${parameters === '' ? '' : `?${parameters}`}`;
  const key =
    workspace !== undefined && resolve(workspace) === exampleWorkspace ? `'x-api-key: ${exampleKey}'` : '"x-api-key: $HILO_API_KEY"';
  const json = body === undefined ? '' : ` -H 'content-type: application/json' -d ${quote(JSON.stringify(body))}`;
  return `curl -sS -w '\\n' ${method === 'POST' ? '' : `-X ${method} `}'${address}' -H ${key}${json}`;
}

/** A text as one shell word. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
