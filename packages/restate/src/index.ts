export { type DevServerOptions, startDevServer } from './dev-server.ts';
export { asReadModel } from './projection.ts';
export { type RestateServer, restateRuntime } from './restate-runtime.ts';
