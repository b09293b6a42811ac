// `npm run generate`: writes what @hilo/nodes publishes as JSON, made from the node definitions. With `--check` writes
// nothing, and ends with 1 when a file is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { canvasSchema, nodeCatalogue, standardNodes } from '../src/index.ts';

const files = {
  'catalogue.json': nodeCatalogue(standardNodes),
  'canvas.schema.json': canvasSchema(standardNodes),
};

for (const [name, content] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url);
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readIfThere(file) !== text) {
    console.error(`packages/nodes/${name} is not what the node definitions say: run npm run generate`);
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
