/** What a caller shows of itself while the connection is made (mTLS); texts in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string | undefined;
}
