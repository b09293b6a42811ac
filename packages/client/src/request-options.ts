/** What any request may have beside its parts. */
export interface RequestOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}
