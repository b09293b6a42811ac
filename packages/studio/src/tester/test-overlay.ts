import type { Overlay } from '../board/overlay.ts';
import type { TestView } from '../worker/protocol.ts';
import { shortTime } from '../words/words.tsx';

/**
 * What a test draws over its canvas: the ports it took, where it waits, where it failed.
 *
 * @param neverTaken - ports that no kept test takes, as `node.port`
 */
export function overlayOf({ taken, wait, calls, failure, nowMs }: TestView, neverTaken: readonly string[] = []): Overlay {
  const [call] = calls;
  return {
    taken,
    neverTaken: new Set(neverTaken),
    passed: new Set(Object.keys(taken).map((key) => key.split('\0')[0] ?? '')),
    ...(wait !== undefined && { waiting: { nodeId: wait.nodeId, text: wait.dueAtMs === null ? '' : shortTime(wait.dueAtMs - nowMs) } }),
    ...(call !== undefined && { running: call.nodeId }),
    ...(failure?.nodeId !== undefined && { failed: { nodeId: failure.nodeId, cause: failure.cause } }),
  };
}
