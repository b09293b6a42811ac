// What programs around the service are made of, such as the `hilo` command, beside `project.ts`: workspaces and checks as the service
// reads them, management without HTTP, and the socket by which commands on the same machine reach a running service.
import '@hilo/engine/require-node';
export { createManagement } from './service/app.ts';
export { type ListeningOnSocket, listenOnSocket } from './platform/local-socket/listen-on-socket.ts';
export { nameCommandLine } from './audit/audit.ts';
export { recordAct } from './audit/record-acts.ts';
export {
  createLocalManagement,
  deliveryOf,
  recordMove,
  type SaidMessage,
  ServedStore,
  type WorkspaceFile,
} from './service/local-management.ts';
export { isNobody, socketEntries } from './platform/local-socket/socket-folder.ts';
export { placeStore, type StorePlace } from './platform/database/store-place.ts';
export type { Execution, History } from './executions/schema.ts';
export { type MoveAnswer, type MoveCommand } from './tenants/moving/move-files.ts';
export { createSimulationWork, type SimulationWork } from './platform/canvas-work/simulation-work.ts';
export { addressOf } from './platform/public-url.ts';
export { trustedProxyRule } from './platform/http/client-address.ts';
export { adminTokenRule } from './platform/secrets/secret-file.ts';
export { judgeTemplate } from './tenants/unsendable-templates.ts';
export { connectionsTo, movingMoney, namesBrought, toolsOf } from './tenants/workspace/prepare.ts';
export { parseShape } from './tenants/workspace/problems.ts';
export { type WorkspaceCompany, workspaceSchema } from './tenants/workspace/schema.ts';
