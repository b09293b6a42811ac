// The canvas that a new workflow begins with.
import { isReservedName } from '@hilo/engine/contract';
import type { CanvasJson } from '../canvas/canvas-json.ts';

/**
 * A canvas with a start. Its id is derived from the name.
 *
 * @param keyword - what begins it; every message that no other workflow takes, when left out
 */
export function blankCanvas(name: string, keyword?: string): CanvasJson {
  const id = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  return {
    schemaVersion: 1,
    id: id === '' ? 'workflow' : isReservedName(id) ? `${id}-workflow` : id,
    name,
    kind: 'skill',
    settings: {},
    variables: {},
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 0 }, data: keyword === undefined ? { fallback: true } : { keywords: [keyword] } },
    ],
    edges: [],
  };
}
