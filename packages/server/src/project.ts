// What a command reads of a project without running it. Apart from `kit.ts`, so that checking or trying a canvas does not load the service.
import '@hilo/engine/require-node';
export { type CompleteParts, performedEffects } from './host-parts.ts';
export { configPaths, hostOf, loadConfig } from './load-config.ts';
export { readTrouble, writeTrouble } from './platform/file-trouble.ts';
export { inWords } from './platform/in-words.ts';
export { workspaceJsonSchema } from './tenants/workspace/json-schema.ts';
export type { GivenUser } from './tenants/workspace/given-users.ts';
export { readNamedFile, readWorkspace } from './tenants/workspace/source.ts';
