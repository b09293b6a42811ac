// `npm run generate`: writes generated files: what @hilo/nodes and @hilo/server publish as JSON, the operations of @hilo/client, the tables of docs/workspace.md, and the pages of docs/ on nodes,
// effects, messages, expressions, events, problems, routes and the client. With `--check` it writes nothing, and ends with 1 when a file is outdated, or exists without being generated.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { channelAdapters } from '../packages/channels/src/index.ts';
import { canvasSchema, nodeCatalogue, standardNodes } from '../packages/nodes/src/index.ts';
import { workspaceJsonSchema } from '../packages/server/src/project.ts';
import { clientOperations } from './docs/client-operations.ts';
import { clientPage } from './docs/client-page.ts';
import { describeService } from './docs/describe-service.ts';
import { effectsPage } from './docs/effects-page.ts';
import { eventsPage } from './docs/events-page.ts';
import { expressionsPage } from './docs/expressions-page.ts';
import { functionList } from './docs/function-list.ts';
import { listGallery } from './docs/gallery.ts';
import { messagesPage } from './docs/messages-page.ts';
import { nodePages } from './docs/node-pages.ts';
import { nodesTable } from './docs/nodes-table.ts';
import { problemsPage } from './docs/problems-page.ts';
import { routesPage } from './docs/routes-page.ts';
import { workspacePage } from './docs/workspace-page.ts';

const root = new URL('../', import.meta.url);
const pages = nodePages(standardNodes);
const described = await describeService();
const json = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`;

const files: { readonly [path: string]: string } = {
  'packages/nodes/catalogue.json': json(nodeCatalogue(standardNodes)),
  'packages/nodes/canvas.schema.json': json(canvasSchema(standardNodes)),
  'packages/server/workspace.schema.json': json(workspaceJsonSchema(channelAdapters)),
  'docs/workspace.md': workspacePage(readIfThere('docs/workspace.md') ?? '', workspaceJsonSchema(channelAdapters)),
  'docs/nodes.md': nodesTable(standardNodes),
  ...Object.fromEntries(Object.entries(pages).map(([name, page]) => [`docs/nodes/${name}`, page])),
  'docs/messages.md': messagesPage(),
  'docs/effects.md': effectsPage(standardNodes),
  'docs/expressions.md': expressionsPage(),
  'packages/studio/src/expressions/functions.json': json(functionList()),
  'packages/studio/src/gallery/gallery.json': json(listGallery(new URL('examples/', root))),
  'docs/problems.md': problemsPage(),
  'docs/events.md': eventsPage(readIfThere('docs/events.md') ?? ''),
  'docs/routes.md': routesPage(described.document),
  ...clientPage(described),
  'packages/client/src/operations.ts': clientOperations(described.document),
};

/** An unknown flag is refused: mistyped, `--check` would write. */
const isCheck = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values.check;
mkdirSync(new URL('docs/nodes/', root), { recursive: true });
for (const [path, text] of Object.entries(files)) {
  if (!isCheck) writeFileSync(new URL(path, root), text);
  else if (readIfThere(path) !== text) report(`${path} is not what the sources say: run npm run generate`);
}
for (const name of readdirSync(new URL('docs/nodes/', root)).filter((file) => !(file in pages))) {
  if (!isCheck) rmSync(new URL(`docs/nodes/${name}`, root));
  else report(`docs/nodes/${name} is of no node: run npm run generate`);
}

function report(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(new URL(path, root), 'utf8').replaceAll('\r\n', '\n'); // Git may have changed the line ends
  } catch {
    return undefined;
  }
}
