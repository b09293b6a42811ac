// `npm run generate`: writes what is made from the node definitions: what @hilo/nodes publishes as JSON, and the table of
// nodes in the documentation. With `--check` writes nothing, and ends with 1 when a file is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canvasSchema, nodeCatalogue, standardNodes } from '../src/index.ts';
import { expressionsDoc } from './expressions-doc.ts';
import { nodesTable } from './nodes-table.ts';

const json = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`;

const files = {
  '../catalogue.json': json(nodeCatalogue(standardNodes)),
  '../canvas.schema.json': json(canvasSchema(standardNodes)),
  '../../../docs/nodes.md': nodesTable(standardNodes),
  '../../../docs/expressions.md': expressionsDoc(),
};
const root = new URL('../../../', import.meta.url);

for (const [path, text] of Object.entries(files)) {
  const file = new URL(path, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readIfThere(file) !== text) {
    const name = relative(fileURLToPath(root), fileURLToPath(file)).replaceAll('\\', '/');
    console.error(`${name} is not what the node definitions say: run npm run generate`);
    process.exitCode = 1;
  }
}

function readIfThere(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8').replaceAll('\r\n', '\n'); // Git may have changed the line ends
  } catch {
    return undefined;
  }
}
