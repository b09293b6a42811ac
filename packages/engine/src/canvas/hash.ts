import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Canvas } from '../contract/canvas.ts';
import type { Digest } from '../contract/clock.ts';

/** SHA-256 in hexadecimal digits, without platform functions: the default of the engine. */
export const portableDigest: Digest = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/**
 * Identifies the behaviour of a canvas, and so a published version: layout, selection, the look of edges and the order of nodes and edges do
 * not count.
 *
 * @returns SHA-256 of the canonical JSON, as 64 hexadecimal digits
 */
export function canvasHash({ $schema: _schema, viewport: _viewport, nodes, edges, ...rest }: Canvas): string {
  const behaviour = canonical({
    ...rest,
    nodes: nodes.map(({ id, type, version, data }) => canonical({ id, type, version: version === 1 ? undefined : version, data })).sort(),
    edges: edges.map(({ source, sourceHandle, target }) => canonical({ source, sourceHandle: sourceHandle ?? undefined, target })).sort(),
  });
  return portableDigest(behaviour);
}

/** JSON with the keys of every object sorted. Recursion is safe: a parsed canvas has at most 64 levels. */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`);
  return `{${entries.join(',')}}`;
}
