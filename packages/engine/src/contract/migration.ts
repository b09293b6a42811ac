// What a migration of executions to another version is, and what can be wrong with it.
import { z } from 'zod';
import type { Path } from '../variables/path.ts';
import { NodeId, WorkflowId } from './canvas.ts';
import { Json } from './json.ts';
import type { Write } from './variables.ts';

const reasonRule = 'is a reason of 1 to 500 characters';
const Chosen = z.union(
  [
    z.literal('keep'),
    z.strictObject({ enter: NodeId }),
    z.strictObject({ cancel: z.string(reasonRule).min(1, reasonRule).max(500, reasonRule) }),
  ],
  'is "keep", {"enter": NODE} or {"cancel": REASON}',
);

/** How waiting executions come to another version of their workflow: written once for a pair of versions, not for each execution. */
export const Migration = z.strictObject({
  workflowId: WorkflowId.meta({ description: 'The workflow', examples: ['order-status'] }),
  from: z
    .union([z.int().min(1, 'is the number of a version, from 1'), z.literal('any')], 'is the number of a version, or "any"')
    .meta({ description: 'The version that the executions are in; "any" for every other than the target', examples: [7, 'any'] }),
  to: z
    .int('is the number of a version')
    .min(1, 'is the number of a version, from 1')
    .meta({ description: 'The published version that they are to be in', examples: [8] }),
  nodes: z
    .record(NodeId, NodeId)
    .optional()
    .meta({ description: 'Renamed nodes: the id before, and the id in the target', examples: [{ quantity: 'amount' }] }),
  at: z
    .record(NodeId, Chosen)
    .optional()
    .meta({
      description:
        'What becomes of executions that wait at a node of the version before: "keep" leaves them, "enter" goes on at a node, "cancel" ends them with a reason',
      examples: [{ quantity: { enter: 'amount' } }],
    }),
  set: z
    .record(z.string().min(1).max(256), Json)
    .optional()
    .meta({
      description: 'Values for variables of $context and $memory that an execution does not have; {{expressions}} read its own variables',
      examples: [{ '$context.brand': 'unknown' }],
    }),
});
/** As it is written: its ids are texts. */
export interface Migration {
  readonly workflowId: string;
  readonly from: number | 'any';
  readonly to: number;
  readonly nodes?: { readonly [before: string]: string } | undefined;
  readonly at?: { readonly [before: string]: 'keep' | { readonly enter: string } | { readonly cancel: string } } | undefined;
  readonly set?: { readonly [path: string]: Json } | undefined;
}

/** A difference between two versions that an execution may come to. */
export interface CanvasDifference {
  /** The node of the version before; empty for the settings. */
  readonly nodeId: string;
  readonly kind: 'gone' | 'type' | 'data' | 'port' | 'webhook' | 'catch' | 'settings';
  readonly port?: string;
  readonly field?: string;
  /** The nodes from where it waits to the one that differs, both included. */
  readonly way: readonly string[];
}

/** Why an execution cannot be migrated as it stands. */
export type MigrationRefusal =
  | 'NODE_GONE'
  | 'WAIT_DIFFERS'
  | 'RETRY_OPEN'
  | 'WEBHOOK_RENAMED'
  | 'VALUE_REFUSED'
  | 'JUMPED'
  | 'TEST_ROUTE'
  | 'NOT_BEGUN'
  | 'CANVAS_UNUSABLE'
  | 'GONE_ON'
  | 'TAKEN_BACK';

/** What a migration does with one execution. */
export type Verdict =
  /** Proved: every future of it is the same. */
  | { readonly kind: 'same' }
  /** It stays in its wait; its future differs from `difference.way` on. `fills` are written where it has no value. */
  | { readonly kind: 'changed'; readonly difference: CanvasDifference; readonly fills: readonly Write[] }
  /** What `at` says. */
  | { readonly kind: 'enters'; readonly nodeId: string; readonly fills: readonly Write[] }
  | { readonly kind: 'cancels'; readonly reason: string }
  | { readonly kind: 'keeps' }
  /** A variable is read before it is written. */
  | { readonly kind: 'needs'; readonly values: readonly Path[]; readonly message: string; readonly way: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: MigrationRefusal; readonly message: string; readonly way: readonly string[] }
  /** An effect is under way, or it has not begun: judged again later. */
  | { readonly kind: 'busy' }
  /** It has ended, is in the target already, or in another version than `from`. */
  | { readonly kind: 'none' };

/** The verdicts by which an execution changes: an operator names those that may. */
export const migratingKinds = ['same', 'changed', 'enters', 'cancels'] as const;
/** One of {@link migratingKinds}. */
export type MigratingKind = (typeof migratingKinds)[number];
