import type { Company } from '../service/companies.ts';
import type { Service } from '../service/service.ts';
import { companyNotFound, invalidFields } from './refusals.ts';

/**
 * The company a request is about: the one it names, or the only one there is.
 *
 * @throws {Refusal} 404 for one that does not exist, 422 when there are several and none is named
 */
export function companyOf({ companies }: Pick<Service, 'companies'>, companyId: string | undefined): Company {
  if (companyId !== undefined) {
    const named = companies.company(companyId);
    if (named === undefined) throw companyNotFound(companyId);
    return named;
  }
  const [only, another] = companies.all();
  if (only === undefined) throw companyNotFound('');
  if (another !== undefined) throw invalidFields({ companyId: [`there are several companies: choose one, such as ${only.id}`] });
  return only;
}
