/** Work that ran into a bound: something for a counter, and for the operator's log. */
export interface LimitReached {
  /** Which bound, such as `function-places`. */
  readonly limit: string;
  /** Who ran into it: a company, or an address. */
  readonly holder: string;
  /** Without a secret, and without what a tenant wrote. */
  readonly message: string;
  readonly functionId?: string;
}

/** Called for every one; whoever is told counts, and writes some of them down. */
export type OnLimit = (reached: LimitReached) => void;
