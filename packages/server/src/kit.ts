// What programs around the service are made of, such as the `hilo` command: configuration, workspaces and checks as the service
// reads them, management without HTTP, and the socket by which commands on the same machine reach a running service.
export { createManagement } from './create-management.ts';
export { type CompleteParts, performedEffects } from './host-parts.ts';
export { configPaths, hostOf, loadConfig } from './load-config.ts';
export { type ListeningOnSocket, listenOnSocket } from './local-socket/listen-on-socket.ts';
export { createLocalManagement, ServedStore, type WorkspaceFile } from './local-socket/local-management.ts';
export { isNobody, socketEntries } from './local-socket/socket-folder.ts';
export { storeName } from './platform/database/open-store.ts';
export type { Execution, History } from './platform/http/admin-schemas.ts';
export { addressOf } from './platform/public-url.ts';
export { adminTokenRule } from './platform/secrets/admin-token.ts';
export { connectionsTo, namesBrought } from './tenants/workspace/known-names.ts';
export { inWords, parseShape } from './tenants/workspace/problems.ts';
export { readNamedFile, readWorkspace } from './tenants/workspace/source.ts';
export { type WorkspaceCompany, workspaceSchema } from './tenants/workspace/workspace.ts';
export { problemsOf } from './workflows/check-canvas.ts';
export type { PublishedCanvas } from './workflows/rival-starts.ts';
