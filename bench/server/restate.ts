import { join } from 'node:path';
import { freePort } from '../../packages/stores/test/free-port.ts';
import { restatePorts, startRestate } from '../restate-server.ts';
import { type Server, startServer } from './start-server.ts';

/** A Restate server and the service that it calls; each answer is stored before it is sent. */
export async function startRestateOrders(directory: string): Promise<readonly Server[]> {
  const port = await freePort();
  const server = await startRestate(join(directory, 'server'), await restatePorts());
  try {
    const service = await startServer(
      {
        title: 'Restate service',
        files: {},
        args: () => [join(import.meta.dirname, 'restate-service.mjs'), String(port)],
        isUp: /listening at (\S+)/,
        path: '/',
        calls: 'orders',
      },
      join(directory, 'service'),
    );
    await server.register(service.origin);
    const of = (title: string, handler: string): Server => ({
      title,
      origin: server.ingress,
      path: `/order/${handler}`,
      calls: 'orders',
      pids: [...server.pids, ...service.pids],
      kill: async () => void (await Promise.all([server.kill(), service.kill()])),
    });
    return [of('Restate, each invocation durable', 'handler'), of('Restate, each step durable', 'steps')];
  } catch (error) {
    await server.kill();
    throw error;
  }
}
