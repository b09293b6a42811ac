// Credentials of the environment that an execution belongs to.
import { type BoundDriver, type DriverContext, isJsonObject, type JsonObject } from '@hilo/engine/contract';
import type { Companies } from '../tenants/companies.ts';

/** Fields of a request that name a credential. */
const credentialFields = ['credentialId', 'clientCertificateId'];

/**
 * A driver whose calls are signed in for the environment that their execution belongs to: what runs a draft has the credential `ID.test`
 * in place of `ID`, where the company has one.
 */
export function withTestCredentials({ perform, ...driver }: BoundDriver, companies: Pick<Companies, 'credential'>): BoundDriver {
  const choose = async (request: JsonObject, companyId: string): Promise<JsonObject> => {
    const chosen = { ...request };
    for (const field of credentialFields) {
      const id = request[field];
      if (typeof id !== 'string') continue;
      const twin = `${id}.test`;
      if ((await companies.credential(companyId, twin)) !== undefined) chosen[field] = twin;
    }
    const { wsSecurity } = request;
    return isJsonObject(wsSecurity) ? { ...chosen, wsSecurity: await choose(wsSecurity, companyId) } : chosen;
  };
  const performTest = async (request: JsonObject, context: DriverContext): Promise<unknown> =>
    perform((await choose(request, context.origin.companyId)) as never, context); // of the same form: ids stand for ids
  return {
    ...driver,
    perform: (request: never, context) => (context.origin.route === 'test' ? performTest(request, context) : perform(request, context)),
  };
}
