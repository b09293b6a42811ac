import type { CompiledNode } from './compile.ts';

/** All nodes that the edges of some lead to, directly or through others. */
export function behind(nodes: Iterable<CompiledNode>): readonly CompiledNode[] {
  const reached = new Set<CompiledNode>();
  const queue = [...nodes];
  for (const node of queue)
    for (const target of node.targets.values())
      if (!reached.has(target)) {
        reached.add(target);
        queue.push(target);
      }
  return [...reached];
}
