import { buildResource } from '../platform/define-resource.ts';
import { credentialLoginRoutes } from './credential-login.ts';

/** People who log in for credentials. */
export const credentialResource = buildResource({ name: 'credentials', routes: [...credentialLoginRoutes] });
