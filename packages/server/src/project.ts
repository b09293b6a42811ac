// What a command reads of the workspace of a project without running it. Apart from `kit.ts`, so that this does not load the service.
import '@hilo/engine/require-node';
export { workspaceJsonSchema } from './tenants/workspace/json-schema.ts';
export type { GivenUser } from './tenants/workspace/given-users.ts';
export { readNamedFile, readWorkspace } from './tenants/workspace/source.ts';
