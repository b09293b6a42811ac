import { buildResource } from '../platform/define-resource.ts';
import { rotateKeys } from './routes.ts';

/** The key that encrypts secrets. */
export const keyResource = buildResource({ name: 'keys', routes: [rotateKeys] });
