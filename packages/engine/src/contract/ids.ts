import { z } from 'zod';
import { forbiddenNames } from '../variables/path.ts';

/** Names one execution, with 128 random bits. */
export const ExecutionId = z.string().min(1).max(128).brand<'ExecutionId'>();
export type ExecutionId = z.output<typeof ExecutionId>;

/** Names a node inside its canvas. It stands in addresses and in state names, hence the narrow alphabet. */
export const NodeId = z
  .string()
  .regex(/^[A-Za-z0-9_:-]{1,128}$/, 'A node id has 1 to 128 letters, digits, "_", "-" or ":"')
  .refine((id) => !forbiddenNames.has(id), { error: 'This id is reserved; choose another' })
  .brand<'NodeId'>();
export type NodeId = z.output<typeof NodeId>;

/** Names a workflow inside its company. */
export const WorkflowId = z
  .string()
  .regex(/^[A-Za-z0-9_:-]{1,128}$/, 'A workflow id has 1 to 128 letters, digits, "_", "-" or ":"')
  .brand<'WorkflowId'>();
export type WorkflowId = z.output<typeof WorkflowId>;
