/** The kinds of credential that suit the fields of nodes: with another one the call fails. */
import type { Reference } from '@hilo/engine/contract';

/** They sign a call in. */
export const signingIn: readonly string[] = ['basic', 'bearer', 'api-key', 'oauth2'];

/** By the fields of nodes that call out. */
const suitingFields: { readonly [field: string]: readonly string[] } = {
  auth: signingIn,
  clientCertificate: ['client-certificate'],
  wsSecurity: ['basic'],
};

/** The credentials that fields of a node name, as its references. */
export const credentialsOf = (fields: { readonly [field: string]: { readonly credentialId: string } | undefined }): readonly Reference[] =>
  Object.entries(fields).flatMap(([field, named]) => {
    if (named === undefined) return [];
    const suits = suitingFields[field];
    return [{ kind: 'credential', ...(suits !== undefined && { suits }), id: named.credentialId, at: [field, 'credentialId'] }];
  });
