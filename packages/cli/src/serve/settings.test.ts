import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../server/src/service/settings.ts';
import { type Given, readServeSettings, readSettings } from './settings.ts';

describe('settings', () => {
  it('are the defaults when nothing is given', () => {
    expect(readSettings({}, {})).toEqual({ kind: 'settings', settings: defaultSettings });
  });

  it('come from flags, then from variables', () => {
    const variables = {
      HILO_PORT: '3100',
      HILO_HOST: '::1',
      HILO_PUBLIC_URL: 'https://bots.example/hilo',
      HILO_ADVERTISE_URL: 'http://10.0.0.7:3000/',
      HILO_CELL: 'a',
      HILO_CELLS: 'cells.json',
      HILO_DATA: '/srv/hilo',
      HILO_DATABASE_URL: 'postgres://hilo:pw@db:5433/hilo',
      HILO_SECRET_KEY: 'a2V5',
      HILO_WORKSPACE: 'workspace.json',
      HILO_ADMIN_TOKEN: 'sixteen-letters!',
      HILO_EGRESS_ALLOW: '127.0.0.1:4010, [::1]:80,intranet:8080',
      HILO_EGRESS_CA: 'ca.pem',
      HILO_RATE_LIMIT: '50',
      HILO_LOG: 'json',
      HILO_LEGACY_HOSTS: 'old.example,bots.example',
      HILO_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8',
      HILO_KEEP_DAYS: '7',
      HILO_KEEP_FAILED_DAYS: '14',
      HILO_HISTORY_OUTBOX: 's3://histories/of/hilo',
      HILO_FILES: 's3://files/of/hilo',
      HILO_OIDC_ISSUER: 'https://login.example.com',
      HILO_OIDC_CLIENT_ID: 'hilo',
      HILO_OIDC_CLIENT_SECRET: 'of-the-client',
      HILO_OIDC_CLAIM: 'groups',
      HILO_OIDC_SCOPE: 'openid groups',
      AWS_ENDPOINT_URL_S3: 'https://minio.example:9000',
      AWS_REGION: 'eu-north-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
    };
    const ofVariables = {
      port: 3_100,
      host: '::1',
      publicUrl: 'https://bots.example/hilo',
      advertiseUrl: 'http://10.0.0.7:3000',
      cell: 'a',
      cells: 'cells.json',
      data: '/srv/hilo',
      databaseUrl: 'postgres://hilo:pw@db:5433/hilo',
      secretKey: 'a2V5',
      workspace: 'workspace.json',
      adminToken: 'sixteen-letters!',
      egressAllow: ['127.0.0.1:4010', '[::1]:80', 'intranet:8080'],
      egressCa: 'ca.pem',
      rateLimit: 50,
      log: 'json',
      legacyHosts: ['old.example', 'bots.example'],
      trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
      keepDays: 7,
      keepFailedDays: 14,
      historyOutbox: 's3://histories/of/hilo',
      files: 's3://files/of/hilo',
      oidcIssuer: 'https://login.example.com',
      oidcClientId: 'hilo',
      oidcClientSecret: 'of-the-client',
      oidcClaim: 'groups',
      oidcScope: 'openid groups',
      s3Endpoint: 'https://minio.example:9000',
      s3Region: 'eu-north-1',
      s3KeyId: 'id',
      s3Secret: 'secret',
      s3SessionToken: 'token',
    };
    expect(readSettings({}, variables)).toEqual({ kind: 'settings', settings: ofVariables });
    const flags = { port: '0', rateLimit: 'off', log: 'pretty' };
    expect(readSettings(flags, variables)).toEqual({
      kind: 'settings',
      settings: { ...ofVariables, port: 0, rateLimit: undefined, log: 'pretty' },
    });
  });

  it('take an empty variable for none', () => {
    expect(readSettings({}, { HILO_PORT: '', HILO_ADMIN_TOKEN: '', HILO_LEGACY_HOSTS: '' })).toEqual({
      kind: 'settings',
      settings: defaultSettings,
    });
  });

  const wrong: readonly (readonly [name: keyof Given, flag: string, values: readonly string[]])[] = [
    ['port', '--port', ['', 'http', '-1', '65536', '3000.5', '1e3', ' 80', '0x50']],
    ['host', '--host', ['', 'a b', 'http://127.0.0.1', '127.0.0.1/8']],
    [
      'publicUrl',
      '--public-url',
      ['', 'bots.example', 'ftp://bots.example', 'https://', 'https://a:b@bots.example', 'https://a/?b', 'https://a/#b'],
    ],
    ['databaseUrl', '--database-url', ['', 'mysql://db/hilo', 'db:5432', 'postgres']],
    ['adminToken', 'HILO_ADMIN_TOKEN', ['a', 'x'.repeat(15), 'with a blank in it!', 'ümlaut-in-the-token', 'x'.repeat(1_001)]],
    ['egressAllow', '--egress-allow', ['', '127.0.0.1', '127.0.0.1:', '127.0.0.1:0', '127.0.0.1:70000', 'a:80,,b:80', 'http://a:80']],
    ['rateLimit', '--rate-limit', ['', '0', '-5', '1.5', 'on', 'OFF']],
    ['visitorMessagesADay', '--visitor-messages', ['', '0', '-5', '1.5', 'on', 'OFF', '1e9', '1000000000']],
    ['keepDays', '--keep-days', ['', '0', '-1', '1.5', 'week', '100000']],
    ['keepFailedDays', '--keep-failed-days', ['0', '1d']],
    [
      'historyOutbox',
      '--history-outbox',
      [
        '',
        's3:',
        's3://',
        's3:bucket',
        's3://a',
        's3://Bucket/a',
        'S3://bucket/a',
        'gs://bucket/a',
        'https://minio.example/a',
        'file:///a',
      ],
    ],
    ['oidcIssuer', '--oidc-issuer', ['', 'login.example.com', 'ftp://login.example.com']],
    ['oidcScope', '--oidc-scope', ['', 'profile', 'openidx']],
    ['files', '--files', ['', 's3:', 's3://', 's3://a', 's3://Bucket/a', '/srv/files', 'https://minio.example/a']],
    ['log', '--log', ['', 'JSON', 'verbose']],
    ['trustedProxies', '--trusted-proxies', ['', '*', 'localhost', '10.0.0.0/33', '0.0.0.0/0', '127.0.0.1,,::1', '127.1']],
    ['legacyHosts', '--legacy-hosts', ['', 'a b', 'a,,b', 'http://a']],
  ];
  it.for(wrong.flatMap(([name, flag, values]) => values.map((value) => [flag, value, name] as const)))(
    'refuse %s %j',
    ([flag, value, name]) => {
      const { kind, ...rest } = readSettings({ [name]: value }, {});
      expect(kind).toBe('refused');
      expect(rest).toEqual({ reasons: [expect.stringMatching(new RegExp(`^${flag} [a-z]`)) as unknown] });
    },
  );

  it('are refused where a setting of a Restate cluster would have no effect', () => {
    const cluster = { restateUrl: 'http://restate:8080', restateService: 'http://here:9080', restateListen: '0.0.0.0:9080' };
    const variables = { HILO_RESTATE_URL: cluster.restateUrl };
    const withoutRuntime = 'has no effect without --runtime restate (HILO_RUNTIME): give both';
    expect(readServeSettings({ restateListen: cluster.restateListen }, variables)).toEqual({
      kind: 'refused',
      reasons: [`HILO_RESTATE_URL ${withoutRuntime}`, `--restate-listen ${withoutRuntime}`],
    });
    const withoutCluster = 'has no effect without a cluster, --restate-url (HILO_RESTATE_URL): give both';
    expect(readServeSettings({ ...cluster, restateUrl: undefined, runtime: 'restate' }, {})).toEqual({
      kind: 'refused',
      reasons: [`--restate-service ${withoutCluster}`, `--restate-listen ${withoutCluster}`],
    });
    expect(readServeSettings({ ...cluster, runtime: 'restate' }, {})).toMatchObject({ kind: 'settings', settings: cluster });
    expect(readServeSettings({}, { HILO_RESTATE_SERVER: '/usr/bin/restate-server' })).toMatchObject({ kind: 'settings' });
  });

  it('are refused where one of the two settings of a cell is missing', () => {
    expect(readServeSettings({ cell: 'a' }, {})).toEqual({
      kind: 'refused',
      reasons: ['--cell has no effect without the file that lists all cells, --cells (HILO_CELLS): give both'],
    });
    expect(readServeSettings({ runtime: 'restate' }, { HILO_CELLS: 'cells.json' })).toEqual({
      kind: 'refused',
      reasons: ['HILO_CELLS has no effect without the name of a cell, --cell (HILO_CELL): give both'],
    });
    const both = { cell: 'a', cells: 'cells.json' };
    expect(readServeSettings(both, {})).toMatchObject({ kind: 'settings', settings: both });
  });

  it('are refused where there is no workspace to overwrite from, and no provider to log in at', () => {
    const withoutWorkspace = 'has no effect without a workspace to import, --workspace (HILO_WORKSPACE): give both';
    expect(readServeSettings({ overwrite: true }, {})).toEqual({ kind: 'refused', reasons: [`--overwrite ${withoutWorkspace}`] });
    expect(readServeSettings({}, { HILO_OVERWRITE: 'true' })).toEqual({ kind: 'refused', reasons: [`HILO_OVERWRITE ${withoutWorkspace}`] });
    expect(readServeSettings({}, { HILO_OVERWRITE: 'false' })).toMatchObject({ kind: 'settings' });
    expect(readServeSettings({ overwrite: true }, { HILO_WORKSPACE: 'w.json' })).toMatchObject({ kind: 'settings' });
    const withoutProvider = 'has no effect without the provider, --oidc-issuer (HILO_OIDC_ISSUER): give both';
    expect(readServeSettings({ oidcClientId: 'hilo' }, { HILO_OIDC_CLIENT_SECRET: 'canary' })).toEqual({
      kind: 'refused',
      reasons: [`--oidc-client-id ${withoutProvider}`, `HILO_OIDC_CLIENT_SECRET ${withoutProvider}`],
    });
  });

  it('are read by commands beside a service, which have the variables of its environment without its flags', () => {
    const variables = {
      HILO_CELL: 'a',
      HILO_RESTATE_URL: 'http://restate:8080',
      HILO_OVERWRITE: 'true',
      HILO_OIDC_CLIENT_SECRET: 'canary',
    };
    expect(readSettings({ data: './data' }, variables)).toMatchObject({ kind: 'settings' });
    expect(readServeSettings({ data: './data' }, variables)).toMatchObject({ kind: 'refused' });
  });

  it('name the variable of a value, report all errors at once, and repeat no value', () => {
    const variables = { HILO_PORT: 'canary-port', HILO_ADMIN_TOKEN: 'canary token', HILO_LOG: 'canary-log' };
    const read = readSettings({ rateLimit: 'canary-rate' }, variables);
    expect(read).toMatchObject({
      kind: 'refused',
      reasons: [
        expect.stringMatching(/^HILO_PORT is a port/) as unknown,
        expect.stringMatching(/^HILO_ADMIN_TOKEN has/) as unknown,
        expect.stringMatching(/^--rate-limit is/) as unknown,
        expect.stringMatching(/^HILO_LOG is/) as unknown,
      ],
    });
    expect(JSON.stringify(read)).not.toContain('canary');
  });
});
