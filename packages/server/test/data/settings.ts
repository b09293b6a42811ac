import type { Settings } from '../../src/service/settings.ts';

/** Default settings of a service over a directory. */
export const settingsFor = (data: string, more: Partial<Settings> = {}): Settings => ({
  port: 0,
  host: '127.0.0.1',
  data,
  databaseUrl: undefined,
  workspace: undefined,
  adminToken: 'admin-token-of-the-tests',
  egressAllow: [],
  egressCa: undefined,
  rateLimit: undefined,
  keepDays: 30,
  keepFailedDays: 90,
  log: 'json',
  legacyHosts: undefined,
  ...more,
});
