import { canvasSchema } from '@hilo/nodes';
import { loadConfig } from '@hilo/server/parts';
import { workspaceJsonSchema } from '@hilo/server/project';
import { painter, printable, printJson } from './paint.ts';
import { writeResult } from './write-result.ts';

/** The flags of `hilo schema`. */
export interface SchemaOptions {
  /** The file that is written; standard output, when left out. */
  readonly output?: string;
  readonly config?: string;
  /** The format of workspace files instead of that of canvases. */
  readonly workspace?: true;
}

/** Writes the JSON Schema of a canvas with the nodes of Hilo and those of the project, or that of a workspace with their channels. */
export async function schema({ output, config, workspace }: SchemaOptions): Promise<void> {
  const { nodes, channels } = await loadConfig(config);
  const format = workspace === true ? workspaceJsonSchema(channels) : canvasSchema(nodes);
  if (output === undefined) return printJson(format);
  await writeResult(output, `${JSON.stringify(format, null, 2)}\n`);
  process.stderr.write(
    `${painter(process.stderr)('green', '✔')} ${printable(output)} (${workspace === true ? `${channels.length} kinds of providers` : `${nodes.length} types of nodes`})\n`,
  );
}
