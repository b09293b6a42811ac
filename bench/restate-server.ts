import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../packages/stores/test/free-port.ts';
import { startServer } from './server/start-server.ts';

/** A Restate server with its log in a directory of its own, with its default durability. */
export interface RestateServer {
  /** Where callers invoke handlers. */
  readonly ingress: string;
  readonly pids: readonly number[];
  /** Registers the handlers of a service. They stay registered when the server restarts. */
  register(service: string): Promise<void>;
  kill(): Promise<void>;
}

/** The same ports again, so that a killed server is found at its address. */
export interface RestatePorts {
  readonly node: number;
  readonly ingress: number;
  readonly admin: number;
}

export const restatePorts = async (): Promise<RestatePorts> => ({
  node: await freePort(),
  ingress: await freePort(),
  admin: await freePort(),
});

/** @throws {Error} when it is not installed for this platform, or does not come up */
export async function startRestate(directory: string, { node, ingress, admin }: RestatePorts): Promise<RestateServer> {
  const { pids, kill } = await startServer(
    {
      title: 'Restate server',
      command: binary(),
      environment: {
        DO_NOT_TRACK: '1',
        RUST_LOG: 'warn,restate_core::task_center=info,restate_ingress_http=info,restate_server=info,restate_node=info',
        RESTATE_BASE_DIR: join(directory, 'data'),
        RESTATE_NODE_NAME: 'bench',
        RESTATE_CLUSTER_NAME: 'bench',
        RESTATE_LISTEN_MODE: 'tcp',
        RESTATE_BIND_PORT: String(node),
        RESTATE_ADMIN__BIND_PORT: String(admin),
        RESTATE_INGRESS__BIND_PORT: String(ingress),
      },
      files: {},
      args: () => ['--bind-ip', '127.0.0.1', '--no-logo'],
      isUp: /(.)/, // readiness is checked below
      path: '/',
      calls: 'orders',
    },
    directory,
  );
  const isUp = async (port: number, path: string): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let attempt = 0; !((await isUp(admin, '/health')) && (await isUp(ingress, '/restate/health'))); attempt += 1) {
    if (attempt > 600) {
      await kill();
      throw new Error('The Restate server did not come up within a minute');
    }
    await wait(100);
  }
  return {
    ingress: `http://127.0.0.1:${ingress}`,
    pids,
    kill,
    async register(service) {
      const answer = await fetch(`http://127.0.0.1:${admin}/deployments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ uri: service }),
      });
      if (!answer.ok) throw new Error(`Restate does not take the service: ${await answer.text()}`);
    },
  };
}

/** npm installs the package of this platform alone. */
function binary(): string {
  const scope = join(import.meta.dirname, 'node_modules/@restatedev');
  const [name] = readdirSync(scope).filter((folder) => folder.startsWith('restate-server-'));
  if (name === undefined) throw new Error(`There is no Restate server for ${process.platform} ${process.arch}`);
  return join(scope, name, 'bin/restate-server');
}
