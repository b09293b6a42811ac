import { defaultSettings, type Settings } from '@hilo/server';
import { adminTokenRule, trustedProxyRule } from '@hilo/server/kit';
import { explainServerUrl } from '@hilo/postgres';
import { z } from 'zod';

/** Values by flags, then by environment variables, all as text. */
export type Given = { readonly [Name in keyof Settings]?: (Name extends 'overwrite' ? boolean | string : string) | undefined };

/** The source of each setting. Secrets are variables only: flags are visible to all users of the machine. */
const settingSources = {
  port: { flag: '--port', variable: 'HILO_PORT' },
  host: { flag: '--host', variable: 'HILO_HOST' },
  publicUrl: { flag: '--public-url', variable: 'HILO_PUBLIC_URL' },
  advertiseUrl: { flag: '--advertise-url', variable: 'HILO_ADVERTISE_URL' },
  cell: { flag: '--cell', variable: 'HILO_CELL' },
  cells: { flag: '--cells', variable: 'HILO_CELLS' },
  data: { flag: '--data', variable: 'HILO_DATA' },
  runtime: { flag: '--runtime', variable: 'HILO_RUNTIME' },
  restateUrl: { flag: '--restate-url', variable: 'HILO_RESTATE_URL' },
  restateService: { flag: '--restate-service', variable: 'HILO_RESTATE_SERVICE' },
  restateListen: { flag: '--restate-listen', variable: 'HILO_RESTATE_LISTEN' },
  restateIdentity: { flag: '--restate-identity', variable: 'HILO_RESTATE_IDENTITY' },
  restateServer: { flag: '--restate-server', variable: 'HILO_RESTATE_SERVER' },
  databaseUrl: { flag: '--database-url', variable: 'HILO_DATABASE_URL' },
  secretKey: { variable: 'HILO_SECRET_KEY' },
  secretKeyBefore: { variable: 'HILO_SECRET_KEY_BEFORE' },
  workspace: { flag: '--workspace', variable: 'HILO_WORKSPACE' },
  overwrite: { flag: '--overwrite', variable: 'HILO_OVERWRITE' },
  adminToken: { variable: 'HILO_ADMIN_TOKEN' },
  egressAllow: { flag: '--egress-allow', variable: 'HILO_EGRESS_ALLOW' },
  egressCa: { flag: '--egress-ca', variable: 'HILO_EGRESS_CA' },
  visitorMessagesADay: { flag: '--visitor-messages', variable: 'HILO_VISITOR_MESSAGES' },
  rateLimit: { flag: '--rate-limit', variable: 'HILO_RATE_LIMIT' },
  keepDays: { flag: '--keep-days', variable: 'HILO_KEEP_DAYS' },
  keepFailedDays: { flag: '--keep-failed-days', variable: 'HILO_KEEP_FAILED_DAYS' },
  keepAudit: { flag: '--keep-audit', variable: 'HILO_KEEP_AUDIT' },
  historyOutbox: { flag: '--history-outbox', variable: 'HILO_HISTORY_OUTBOX' },
  files: { flag: '--files', variable: 'HILO_FILES' },
  oidcIssuer: { flag: '--oidc-issuer', variable: 'HILO_OIDC_ISSUER' },
  oidcClientId: { flag: '--oidc-client-id', variable: 'HILO_OIDC_CLIENT_ID' },
  oidcClientSecret: { variable: 'HILO_OIDC_CLIENT_SECRET' },
  oidcClaim: { flag: '--oidc-claim', variable: 'HILO_OIDC_CLAIM' },
  oidcScope: { flag: '--oidc-scope', variable: 'HILO_OIDC_SCOPE' },
  // What every tool for S3 reads.
  s3Endpoint: { variable: 'AWS_ENDPOINT_URL_S3' },
  s3Region: { variable: 'AWS_REGION' },
  s3KeyId: { variable: 'AWS_ACCESS_KEY_ID' },
  s3Secret: { variable: 'AWS_SECRET_ACCESS_KEY' },
  s3SessionToken: { variable: 'AWS_SESSION_TOKEN' },
  log: { flag: '--log', variable: 'HILO_LOG' },
  trustedProxies: { flag: '--trusted-proxies', variable: 'HILO_TRUSTED_PROXIES' },
  legacyHosts: { flag: '--legacy-hosts', variable: 'HILO_LEGACY_HOSTS' },
} as const satisfies { readonly [Name in keyof Settings]: { readonly flag?: string; readonly variable: string } };

const names = Object.keys(settingSources) as readonly (keyof Settings)[];

/** A list with commas; blanks around its items do not count. */
const list = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item));

const hostAndPort = z
  .string()
  .regex(/^(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\]):\d{1,5}$/, {
    error: 'is a list of host:port, such as 127.0.0.1:4010,intranet:8080',
    abort: true,
  })
  .refine((text) => isPort(text.slice(text.lastIndexOf(':') + 1), 1), 'has a port that is none: ports are 1 to 65535');

const isPort = (text: string, lowest: number): boolean => /^\d{1,5}$/.test(text) && Number(text) >= lowest && Number(text) <= 65_535;

const httpAddress = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'is an address such as http://127.0.0.1:8080');

const identityKeys = list(
  z
    .string()
    .regex(/^publickeyv1_[1-9A-HJ-NP-Za-km-z]{32,48}$/, 'is a list of public keys as Restate writes them: publickeyv1_…,publickeyv1_…'),
);

/** A flag without a value, or the text of a variable. */
const yesOrNo = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'is true or false' })
  .transform((given) => given === true || given === 'true');

const days = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'is a number of days from 1 to 99999')
  .transform(Number);

const SettingsText = z.object({
  port: z
    .string()
    .refine((text) => isPort(text, 0), 'is a port: a whole number from 0 to 65535, 0 for any that is free')
    .transform(Number)
    .default(defaultSettings.port),
  host: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'is a name or an address of this machine, such as 127.0.0.1')
    .default(defaultSettings.host),
  publicUrl: z
    .string()
    .refine(isPublicUrl, 'is the address under which people reach this service, such as https://bots.example')
    .optional(),
  advertiseUrl: z
    .string()
    .refine(isPublicUrl, 'is the address under which other processes reach this one, such as http://10.0.0.7:3000')
    .transform((text) => text.replace(/(?<!\/)\/+$/, ''))
    .optional(),
  cell: z.string().optional(),
  cells: z.string().optional(),
  data: z.string().default(defaultSettings.data),
  runtime: z.enum(['restate'], { error: 'is "restate", or is left out' }).optional(),
  restateUrl: httpAddress.optional(),
  restateService: httpAddress.optional(),
  restateListen: hostAndPort.optional(),
  restateIdentity: identityKeys.optional(),
  restateServer: z.string().optional(),
  databaseUrl: z
    .string()
    .superRefine((url, context) => {
      const wrong = explainServerUrl(url);
      if (wrong !== undefined) context.addIssue(wrong);
    })
    .optional(),
  secretKey: z.string().optional(),
  secretKeyBefore: z.string().optional(),
  workspace: z.string().optional(),
  overwrite: yesOrNo.optional(),
  adminToken: z.string().regex(adminTokenRule.pattern, adminTokenRule.sentence).optional(),
  egressAllow: list(hostAndPort).default([...defaultSettings.egressAllow]),
  egressCa: z.string().optional(),
  rateLimit: z
    .string()
    .regex(/^(?:off|[1-9]\d{0,6})$/, 'is "off", or how many requests a second each credential may make')
    .transform((text) => (text === 'off' ? undefined : Number(text)))
    .optional(),
  visitorMessagesADay: z
    .string()
    .regex(/^(?:off|[1-9]\d{0,8})$/, 'is "off", or how many messages a day the anonymous visitors of one network may send')
    .transform((text) => (text === 'off' ? text : Number(text)))
    .optional(),
  keepDays: days.default(defaultSettings.keepDays),
  keepFailedDays: days.default(defaultSettings.keepFailedDays),
  keepAudit: days.optional(),
  historyOutbox: z
    .string()
    .regex(
      /^(?:s3:\/\/[a-z0-9.-]{3,63}(?:\/.*)?$|(?!s3:|[A-Za-z][A-Za-z0-9+.-]*:\/\/).)/,
      'is a directory, or a bucket such as s3://bucket/prefix',
    )
    .optional(),
  oidcIssuer: z.url({ protocol: /^https?$/, error: 'is an address such as https://login.example.com' }).optional(),
  oidcClientId: z.string().min(1, 'is what the provider calls this service').optional(),
  oidcClientSecret: z.string().min(1, 'is not empty').optional(),
  oidcClaim: z.string().min(1, 'is the name of a claim').optional(),
  oidcScope: z
    .string()
    .regex(/(?:^| )openid(?: |$)/, 'has openid among its words')
    .optional(),
  files: z
    .string()
    .regex(/^s3:\/\/[a-z0-9.-]{3,63}(?:\/.*)?$/, 'is a bucket such as s3://bucket/prefix')
    .optional(),
  s3Endpoint: z.string().optional(),
  s3Region: z.string().optional(),
  s3KeyId: z.string().optional(),
  s3Secret: z.string().optional(),
  s3SessionToken: z.string().optional(),
  log: z.enum(['pretty', 'json'], { error: 'is "pretty" or "json"' }).default(defaultSettings.log),
  trustedProxies: list(z.string().refine(trustedProxyRule.isMet, trustedProxyRule.sentence)).optional(),
  legacyHosts: list(
    z.string().regex(/^[A-Za-z0-9.:_[\]-]{1,253}$/, 'is a list of host names, such as bots.example,old.example'),
  ).optional(),
});

/** Settings, or every reason why a value is invalid, each with its flag or variable. */
export type ReadSettings =
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] };

/**
 * Reads settings: flags over variables over a configuration file over defaults. A variable that is empty is as good as not set.
 *
 * @param configured - the settings of a `hilo.config.ts`
 */
export function readSettings(flags: Given, variables: NodeJS.ProcessEnv, configured: Given = {}): ReadSettings {
  const ofVariables = names.map((name) => [name, variables[settingSources[name].variable] || undefined] as const);
  const given: Given = {
    ...configured,
    ...Object.fromEntries(ofVariables.filter(isGiven)),
    ...Object.fromEntries(Object.entries(flags).filter(isGiven)),
  };
  const { data, error } = SettingsText.safeParse(given);
  if (data !== undefined) return { kind: 'settings', settings: { ...defaultSettings, ...data } };
  const reasons = error.issues.map(({ path: [name], message }) => describeReason(name, message, flags, variables));
  return { kind: 'refused', reasons: [...new Set(reasons)] };
}

/** Reads the settings of a service that is about to start: refused as well is what would have no effect on it. */
export function readServeSettings(flags: Given, variables: NodeJS.ProcessEnv, configured: Given = {}): ReadSettings {
  const read = readSettings(flags, variables, configured);
  if (read.kind === 'refused') return read;
  const reasons = findIneffective(read.settings).map(([name, reason]) => describeReason(name, reason, flags, variables));
  return reasons.length > 0 ? { kind: 'refused', reasons } : read;
}

/**
 * Finds settings that would have no effect, each with the reason. They are refused, since a service that was given the address of a cluster
 * and ignored it would seem to use the cluster. Commands beside a service read the variables of its environment and not its flags, so that
 * they do not ask. A variable may name the program of Restate for every service of a machine: `restateServer` is not among them.
 */
function findIneffective(settings: Settings): readonly (readonly [name: keyof Settings, reason: string])[] {
  const { cell, cells, runtime, restateUrl, workspace, overwrite, oidcIssuer } = settings;
  const rules: readonly (readonly [isMet: boolean, reason: string, names: readonly (keyof Settings)[]])[] = [
    [cells !== undefined, 'has no effect without the file that lists all cells, --cells (HILO_CELLS): give both', ['cell']],
    [cell !== undefined, 'has no effect without the name of a cell, --cell (HILO_CELL): give both', ['cells']],
    [
      runtime !== undefined,
      'has no effect without --runtime restate (HILO_RUNTIME): give both',
      ['restateUrl', 'restateService', 'restateListen', 'restateIdentity'],
    ],
    [
      runtime === undefined || restateUrl !== undefined,
      'has no effect without a cluster, --restate-url (HILO_RESTATE_URL): give both',
      ['restateService', 'restateListen', 'restateIdentity'],
    ],
    [
      workspace !== undefined || overwrite === false,
      'has no effect without a workspace to import, --workspace (HILO_WORKSPACE): give both',
      ['overwrite'],
    ],
    [
      oidcIssuer !== undefined,
      'has no effect without the provider, --oidc-issuer (HILO_OIDC_ISSUER): give both',
      ['oidcClientId', 'oidcClientSecret', 'oidcClaim', 'oidcScope'],
    ],
  ];
  return rules.flatMap(([isMet, reason, names]) =>
    isMet ? [] : names.filter((name) => settings[name] !== undefined).map((name) => [name, reason] as const),
  );
}

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

/** The value is not repeated: it may be a secret. */
function describeReason(field: PropertyKey | undefined, message: string, flags: Given, variables: NodeJS.ProcessEnv): string {
  const name = names.find((known) => known === field);
  if (name === undefined) return message;
  const source: { readonly flag?: string; readonly variable: string } = settingSources[name];
  if (flags[name] !== undefined) return `${source.flag ?? source.variable} ${message}`;
  return variables[source.variable] ? `${source.variable} ${message}` : `${name} of the configuration file ${message}`;
}

/** An address that more is written behind: without a query, a fragment or a password. */
function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && !/[?#\s]/.test(text);
}
