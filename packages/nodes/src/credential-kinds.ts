/** The kinds of credential that suit the fields of nodes: with another one the call fails. */

/** They sign a call in. */
export const signingIn: readonly string[] = ['basic', 'bearer', 'api-key', 'oauth2'];

/** By the fields of nodes that call out. */
export const suitingFields: { readonly [field: string]: readonly string[] } = {
  auth: signingIn,
  clientCertificate: ['client-certificate'],
  wsSecurity: ['basic'],
};
