// What a project adds to Hilo, and what commands say of its files. Apart from `project.ts` and `kit.ts`, so that checking or trying a canvas
// loads neither the service nor its drivers, stores and workspaces.
import '@hilo/engine/require-node';
export type { CompleteParts } from './service/host-parts.ts';
export { performedEffects } from './service/performed-effects.ts';
export { type CheckParts, configPaths, hostOf, loadCheckParts, loadConfig } from './service/load-config.ts';
export { readTrouble, writeTrouble } from './platform/file-trouble.ts';
export { layTestSettings } from './tenants/described-company.ts';
export { inWords } from './platform/in-words.ts';
