// What a visit of an agent works with: its circumstances, and what its turn has used.
import { type Channel, getPath, type Hold, holdCapMs, type JsonObject, type Variables } from '@hilo/engine/contract';
import type { AgentConfig } from './config.ts';
import type { Mask } from './mask.ts';
import type { Talk } from './talk.ts';
import type { OfferedTools } from './tools.ts';

/** A turn has five minutes, the longest that a user may be held (RET-01). */
export const turnMs = holdCapMs('ai-task', undefined);

/** The circumstances of a visit. */
export interface Scene {
  readonly config: AgentConfig;
  /** As they are after the last message of the user. */
  readonly variables: Variables;
  readonly channel: Channel | undefined;
  readonly hold: Hold | undefined;
  readonly offer: (mask: Mask) => OfferedTools;
  readonly mask: Mask;
  /** When the visit began: nothing was sent before. */
  readonly nowMs: number;
}

/** The conversation inside a turn, and what the turn has used. */
export interface Turn {
  readonly talk: Talk;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly usedMs: number;
}

/** The variables with a scope that this visit alone knows: the message that was just received, or the inputs of a call. */
export const withScope = (variables: Variables, scope: '$message' | '$tool', values: JsonObject): Variables => ({
  get: (path) => (path[0] === scope ? getPath(values, path, 1) : variables.get(path)),
  spend: (work) => variables.spend?.(work) !== false,
  resumeUrl: (nodeId) => variables.resumeUrl?.(nodeId),
  ...(variables.nowMs !== undefined && { nowMs: variables.nowMs }),
});
