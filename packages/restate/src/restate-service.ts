import type { CreateLaneRuntime, ExecutionStore } from '@hilo/engine/runtime-kit';
import { checkProgram, type DevServerOptions, startDevServer } from './dev-server.ts';
import { createReadModel, type Committing } from './projection.ts';
import { type RestateServer, restateRuntime } from './restate-runtime.ts';

/** Which Restate a service uses: a cluster, or a server of its own when no `url` is given. */
export interface RestateServiceOptions {
  /** The ingress of a cluster, with its admin at port 9070 of the same host; a server of this process's own, when left out. */
  readonly url?: string | undefined;
  /** Where a cluster calls this process: `http://10.0.0.7:9080`. */
  readonly serviceUrl?: string | undefined;
  /** `host:port` that this process serves a cluster at, where that is not `serviceUrl`: behind a balancer of several processes. */
  readonly listen?: string | undefined;
  /** The public keys with which a cluster signs its calls (`publickeyv1_…`). Unsigned calls are taken, when left out. */
  readonly identityKeys?: readonly string[] | undefined;
  /** The `restate-server` program; that of `@restatedev/restate-server`, when left out. */
  readonly program?: string | undefined;
}

/** Restate as what keeps the lanes of a service: `openService({ laneRuntime: restateService() })`. */
export const restateService = ({ url, serviceUrl, listen, identityKeys, program }: RestateServiceOptions = {}) => ({
  name: 'restate',
  async check({ hasOthers }: { readonly hasOthers: boolean }): Promise<void> {
    if (url === undefined && hasOthers)
      throw new Error(
        'With --database-url, several processes share one Restate: name it with --restate-url (HILO_RESTATE_URL), or leave --database-url out',
      );
    if (url === undefined) await checkProgram(program);
  },
  asReadModel: <Calls, Store extends Committing<Calls> & { readonly executions: ExecutionStore }>(
    store: Store & Committing<Calls>,
  ): Store => createReadModel<Calls, Store>(store),
  create: (place: Pick<DevServerOptions, 'directory' | 'store' | 'hasOpenWork'> & { readonly sealKey: Uint8Array }): CreateLaneRuntime =>
    restateRuntime(async () =>
      url === undefined
        ? startDevServer({ ...place, program })
        : { ...clusterAt(url, serviceUrl, listen), identityKeys, sealKey: place.sealKey },
    ),
});

/** The cluster as it is: it is not this process's to start or stop. */
function clusterAt(url: string, serviceUrl = 'http://127.0.0.1:9080', listen?: string): Omit<RestateServer, 'sealKey'> {
  const [ingress, service] = [new URL(url), new URL(listen === undefined ? serviceUrl : `http://${listen}`)];
  const admin = new URL(url);
  admin.port = '9070';
  return {
    ingress: ingress.origin,
    admin: admin.origin,
    service: { host: service.hostname, port: Number(service.port || (listen === undefined ? '9080' : '80')) },
    ...(listen !== undefined && { address: new URL(serviceUrl).origin }),
    stop: async () => undefined,
  };
}
