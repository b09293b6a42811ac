import { describe, expect, it } from 'vitest';
import { collectKnownSecrets } from './known-secrets.ts';
import { defaultSettings } from '../../service/settings.ts';

describe('knownSecrets', () => {
  it.each([
    ['postgres://hilo:p%40ss@db.test/hilo', 'p@ss'],
    ['postgres://hilo:100%zz@db.test/hilo', '100%zz'],
    ['postgres://hilo@db.test/hilo?password=in%20query', 'in query'],
  ])('has the password of %s (P31)', (databaseUrl, password) => {
    expect(collectKnownSecrets({ ...defaultSettings, databaseUrl }, () => undefined)()).toEqual([password]);
  });

  it('has those of the operator, and of companies once there are any (P31)', () => {
    const settings = { ...defaultSettings, adminToken: 'admin-token', secretKey: 'secret-key' };
    let companies: { secrets(): readonly string[] } | undefined;
    const known = collectKnownSecrets(settings, () => companies);
    expect(known()).toEqual(['admin-token', 'secret-key']);
    const theirs = ['', 'of-a-company'];
    companies = { secrets: () => theirs };
    expect(known()).toEqual(['admin-token', 'secret-key', 'of-a-company']);
    companies = { secrets: () => [...theirs, 'of-another'] };
    expect(known()).toEqual(['admin-token', 'secret-key', 'of-a-company', 'of-another']);
  });
});
