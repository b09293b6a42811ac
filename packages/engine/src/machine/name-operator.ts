// On whose behalf an act of an operator is done, as events and calls keep it.

/** Who it is, and the job by which they do it with others. */
export interface OnBehalf {
  readonly by?: string | undefined;
  readonly job?: string | undefined;
}

/** The fields of an event or a call; none for what is not known. */
export const nameOperator = ({ by, job }: OnBehalf): { readonly by?: string; readonly job?: string } => ({
  ...(by !== undefined && { by }),
  ...(job !== undefined && { job }),
});
