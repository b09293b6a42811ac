// The examples that the studio offers to begin with: canvases of the folder of examples that run alone, with their tests.
import { readdirSync, readFileSync } from 'node:fs';
import { isJsonObject, type Json, JsonObject } from '../../packages/engine/src/contract/index.ts';

/** Nodes that need what another company does not have: its functions, databases and other workflows. */
const needsMore: ReadonlySet<string> = new Set(['function', 'database', 'jump', 'soap', 'agent']);

/** An example with the conversations that test it, by name. */
interface GalleryEntry {
  readonly canvas: JsonObject;
  readonly tests: readonly { readonly name: string; readonly text: string }[];
}

/** @param folder - of the examples */
export function listGallery(folder: URL): readonly GalleryEntry[] {
  const read = (path: string): string => readFileSync(new URL(path, folder), 'utf8');
  const transcripts = readdirSync(new URL('transcripts/', folder));
  return readdirSync(new URL('canvases/', folder))
    .map((file) => JsonObject.parse(JSON.parse(read(`canvases/${file}`))))
    .filter(({ description, kind = 'skill', nodes }) => typeof description === 'string' && kind === 'skill' && !needsOthers(nodes))
    .map((canvas) => ({
      canvas,
      tests: transcripts
        .filter((file) => typeof canvas['id'] === 'string' && file.startsWith(`${canvas['id']}.`))
        .map((file) => ({ name: file.slice(0, -'.txt'.length).replaceAll('.', '-'), text: read(`transcripts/${file}`) })),
    }))
    .filter(({ tests }) => tests.length > 0);
}

/** Whether a node of a canvas needs what another company does not have. */
const needsOthers = (nodes: Json | undefined): boolean =>
  Array.isArray(nodes) &&
  nodes.some(
    (node: Json) =>
      isJsonObject(node) &&
      ((typeof node['type'] === 'string' && needsMore.has(node['type'])) ||
        (isJsonObject(node['data']) && node['data']['workflowId'] !== undefined)),
  );
