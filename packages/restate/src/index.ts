// The entry of @hilo/restate.
import '@hilo/engine/require-node';
export { type DevServerOptions, startDevServer } from './dev-server.ts';
export { restateService, type RestateServiceOptions } from './restate-service.ts';
export { createReadModel } from './projection.ts';
export { type RestateServer, restateRuntime } from './restate-runtime.ts';
