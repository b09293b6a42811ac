/** Settings of the process that are secret, or hold a secret. */
interface OwnSecrets {
  readonly adminToken: string | undefined;
  readonly secretKey?: string | undefined;
  readonly secretKeyBefore?: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly s3Secret?: string | undefined;
  readonly s3SessionToken?: string | undefined;
  readonly oidcClientSecret?: string | undefined;
}

/**
 * Every secret that this process knows now: its own and, once loaded, those of companies. Only the log is redacted with them, which no
 * tenant reads: redacting what a tenant sees would tell it whether it guessed another company's secret (P28, P31).
 */
export function collectKnownSecrets(
  settings: OwnSecrets,
  companies: () => { readonly secrets: () => readonly string[] } | undefined,
): () => readonly string[] {
  const own = listOwnSecrets(settings).filter((secret) => secret !== '');
  let theirs: readonly string[] = [];
  let all = own;
  return () => {
    const now = companies()?.secrets() ?? [];
    if (now !== theirs) [theirs, all] = [now, [...own, ...now.filter((secret) => secret !== '')]];
    return all;
  };
}

function listOwnSecrets({ adminToken, databaseUrl, ...others }: OwnSecrets): readonly string[] {
  return [
    adminToken ?? '',
    others.secretKey ?? '',
    others.secretKeyBefore ?? '',
    others.s3Secret ?? '',
    others.s3SessionToken ?? '',
    others.oidcClientSecret ?? '',
    ...readPasswords(databaseUrl ?? ''),
  ];
}

/** The password of an address, in whichever of the two places PostgreSQL's client reads it from. */
function readPasswords(address: string): readonly string[] {
  const url = URL.parse(address);
  return url === null ? [] : [decode(url.password), url.searchParams.get('password') ?? ''];
}

/** As the client reads it: a "%" that escapes nothing is one. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
