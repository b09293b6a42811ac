// The secrets that this process knows: what the log hides, wherever they turn up in it (P31).
import { placeStore, type StoreSettings } from '../database/store-place.ts';

/** Settings of the process that are secret, or hold a secret. */
interface OwnSecrets extends StoreSettings {
  readonly adminToken: string | undefined;
  readonly secretKey?: string | undefined;
  readonly secretKeyBefore?: string | undefined;
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

function listOwnSecrets({ adminToken, ...others }: OwnSecrets): readonly string[] {
  return [
    adminToken ?? '',
    others.secretKey ?? '',
    others.secretKeyBefore ?? '',
    others.s3Secret ?? '',
    others.s3SessionToken ?? '',
    others.oidcClientSecret ?? '',
    ...placeStore(others).secrets,
  ];
}
