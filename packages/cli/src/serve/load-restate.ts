import type { ServiceRuntime, Settings } from '@hilo/server';

/**
 * Loads what keeps lanes in Restate. An optional dependency, installed by those who use it.
 *
 * @throws {Error} when it is not installed: which packages to install
 */
export async function loadRestate({
  restateUrl,
  restateService: serviceUrl,
  restateListen: listen,
  restateServer,
}: Settings): Promise<ServiceRuntime> {
  const { restateService } = await import('@hilo/restate').catch((cause: unknown) => {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new Error('--runtime restate needs two packages: npm install @hilo/restate @restatedev/restate-server@1.7.12', { cause });
  });
  return restateService({ url: restateUrl, serviceUrl, listen, program: restateServer });
}
