import type { Trigger } from './execution.ts';
import type { Json, JsonObject } from './json.ts';

/** Something accepted that has not had its consequence yet. */
export type InboxEvent =
  | { readonly kind: 'start' | 'child.start'; readonly executionId: string; readonly entry: string; readonly trigger: Trigger }
  | { readonly kind: 'message'; readonly botId: string; readonly userId: string; readonly message: JsonObject }
  | { readonly kind: 'child.ended'; readonly executionId: string; readonly waitId: string; readonly result: JsonObject }
  /** An event of another execution (`send-event`), for one of those that waited for it then. */
  | { readonly kind: 'event'; readonly executionId: string; readonly waitId: string; readonly payload: Json };

/**
 * Whether something comes from the family of executions itself. A child begins and ends before the lane
 * looks at what users wrote meanwhile: calling a child is to be no different from running its nodes in place.
 */
export const isInternal = ({ accepted: { kind } }: { readonly accepted: Pick<InboxEvent, 'kind'> }): boolean =>
  kind === 'child.start' || kind === 'child.ended';
