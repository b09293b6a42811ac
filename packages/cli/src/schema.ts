import { canvasSchema } from '@hilo/nodes';
import { loadConfig } from '@hilo/server/project';
import { painter, printable, printJson } from './paint.ts';
import { writeResult } from './write-result.ts';

/** The flags of `hilo schema`. */
export interface SchemaOptions {
  /** The file that is written; standard output, when left out. */
  readonly output?: string;
  readonly config?: string;
}

/** Writes the JSON Schema of a canvas with the nodes of Hilo and those of the project. */
export async function schema({ output, config }: SchemaOptions): Promise<void> {
  const { nodes } = await loadConfig(config);
  const format = canvasSchema(nodes);
  if (output === undefined) return printJson(format);
  await writeResult(output, `${JSON.stringify(format, null, 2)}\n`);
  process.stderr.write(`${painter(process.stderr)('green', '✔')} ${printable(output)} (${nodes.length} types of nodes)\n`);
}
