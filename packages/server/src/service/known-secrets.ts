import type { Companies } from './companies.ts';
import type { Settings } from './settings.ts';

/**
 * Every secret of this process at the moment it is asked: its own, and those of companies once they are known. Nothing that
 * is logged or kept may hold one (P31).
 *
 * @param fromChars - how long a secret is at least: shorter ones are left out
 */
export function knownSecrets(
  settings: Settings,
  companies: () => Pick<Companies, 'secrets'> | undefined,
  fromChars = 1,
): () => readonly string[] {
  const isLong = (secret: string): boolean => secret.length >= fromChars;
  const own = ownSecrets(settings).filter(isLong);
  let theirs: readonly string[] = [];
  let all = own;
  return () => {
    const now = companies()?.secrets() ?? [];
    if (now !== theirs) [theirs, all] = [now, [...own, ...now.filter(isLong)]];
    return all;
  };
}

function ownSecrets({ adminToken, secretKey, databaseUrl }: Settings): readonly string[] {
  const password = databaseUrl === undefined ? '' : (URL.parse(databaseUrl)?.password ?? '');
  return [adminToken ?? '', secretKey ?? '', decodeURIComponent(password)];
}
