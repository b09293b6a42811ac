/** What any request may have beside its parts. */
export interface RequestOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /** Headers beside those of the credential and the body. */
  readonly headers?: { readonly [name: string]: string | undefined };
}
