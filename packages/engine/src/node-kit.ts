// For authors of nodes and of the drivers that perform their effects: a node is one value of `defineNode`.
export { Duration, Instant } from './contract/duration.ts';
export { type BoundDriver, drive, driveDetached, type Driver, type DriverContext } from './contract/driver.ts';
export { defineEffect, type EffectDefinition, type EffectRequest } from './contract/effect.ts';
export { isJsonObject, Json, JsonObject } from './contract/json.ts';
export { limits } from './contract/limits.ts';
export {
  again,
  type ConfigProblem,
  defineNode,
  fail,
  finish,
  leave,
  type NodeDefinition,
  type Outcome,
  perform,
  type ExpectedInput,
  type ExpectedTool,
  type Reference,
  type RunArguments,
  type FieldText,
  type FieldTexts,
  type Visual,
  type WrittenForm,
} from './contract/node.ts';
export type { Problem } from './contract/problem.ts';
export { AddressTemplate, Operand, Template, ValueTemplate } from './contract/template.ts';
export { type Variables, VariableName, VariablePath, type Write } from './contract/variables.ts';
export { reply, signal, timer, type WaitRequest, webhookCall } from './contract/wait.ts';
export { formatPath } from './variables/path.ts';
