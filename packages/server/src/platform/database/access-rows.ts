export type ClientRow = {
  /** Unique among all companies: it names one. */
  readonly client_id: string;
  readonly company_id: string;
  /** Salted scrypt. */
  readonly secret_hash: string;
};

export type ApiKeyRow = {
  readonly company_id: string;
  readonly id: string;
  readonly name: string | null;
  /** The first characters, to recognise it by. */
  readonly prefix: string;
  /** SHA-256; unique among all companies. */
  readonly hash: string;
  readonly created_at_ms: number | null;
  readonly last_used_at_ms: number | null;
  readonly revoked_at_ms: number | null;
};

/** An encrypted value: a provider's or a credential's. */
export type SecretRow = {
  readonly company_id: string;
  /** `bot/{botId}/{field}` or `credential/{id}/{field}`. */
  readonly secret_id: string;
  readonly sealed: string;
};

export type CredentialRow = {
  readonly company_id: string;
  readonly id: string;
  readonly kind: string;
  /** JSON: the fields that are no secrets. */
  readonly fields: string;
};
