// Checks the options of a service, for hosts without types.
import { HiloError } from '@hilo/engine/contract';
import { z } from 'zod';
import { trustedProxyRule } from '../platform/http/client-address.ts';
import { days, hostFields, list, formatPath, portNumber, text } from './load-config.ts';

const isWebAddress = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? '');
const webAddress = text.refine(isWebAddress, { error: 'must be an address such as https://bots.example' });
const databaseAddress = text.refine((address) => !/^(?!postgres(?:ql)?:)[a-z][a-z\d+.-]*:\/\//i.test(address), {
  error: 'must be an address of PostgreSQL such as postgres://user@localhost/bots; without one, the data is kept in SQLite',
});
const perSecond = { error: 'must be how many requests a second each credential may make: a whole number from 1' };

/** The types of `ServiceOptions`, for hosts in JavaScript. Whether a path or an address can be opened is found where it is opened. */
const Options = z.strictObject(
  {
    ...hostFields,
    nodesFrom: text.optional(),
    laneRuntime: z.looseObject({ name: text }, { error: 'must be a runtime such as restateService()' }).optional(),
    port: portNumber.optional(),
    host: text.optional(),
    publicUrl: webAddress.optional(),
    data: text.optional(),
    runtime: z.enum(['restate'], { error: 'must be "restate", or be left out' }).optional(),
    restateUrl: webAddress.optional(),
    restateService: webAddress.optional(),
    restateListen: text.optional(),
    restateIdentity: z.array(text).optional(),
    restateServer: text.optional(),
    databaseUrl: databaseAddress.optional(),
    advertiseUrl: webAddress.optional(),
    cell: text.optional(),
    cells: text.optional(),
    secretKey: z.string({ error: 'must be a text' }).optional(),
    secretKeyBefore: z.string({ error: 'must be a text' }).optional(),
    workspace: z.union([text, z.looseObject({})], { error: 'must be the path of a file' }).optional(),
    overwrite: z.boolean({ error: 'must be true or false' }).optional(),
    adminToken: z.unknown().optional(), // has a rule of its own
    egressAllow: list(text).optional(),
    egressCa: text.optional(),
    rateLimit: z.int(perSecond).min(1, perSecond).optional(),
    visitorMessagesADay: z.union([z.literal('off'), z.int().min(1)], { error: 'must be a number of messages a day, or "off"' }).optional(),
    keepDays: days.optional(),
    keepFailedDays: days.optional(),
    keepAudit: days.optional(),
    oidcIssuer: webAddress.optional(),
    oidcClientId: text.optional(),
    oidcClientSecret: text.optional(),
    oidcClaim: text.optional(),
    oidcScope: text.optional(),
    historyOutbox: text.optional(),
    files: text.optional(),
    s3Endpoint: text.optional(),
    s3Region: text.optional(),
    s3KeyId: text.optional(),
    s3Secret: text.optional(),
    s3SessionToken: text.optional(),
    log: z.enum(['pretty', 'json'], { error: 'must be "pretty" or "json"; a log of your own goes beside the options' }).optional(),
    trustedProxies: list(text.refine(trustedProxyRule.isMet, { error: trustedProxyRule.sentence })).optional(),
    legacyHosts: list(text).optional(),
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'The options must be an object, such as { data: "./data" }') },
);

/**
 * Refuses options of `openService` that it would run without, or fail over later: an unknown name, and a value of another type.
 *
 * @throws {HiloError} `INVALID_OPTIONS` that names the first of them
 */
export function checkOptions(options: unknown): void {
  const [issue] = Options.safeParse(options).error?.issues ?? [];
  if (issue === undefined) return;
  const reason =
    issue.code === 'unrecognized_keys'
      ? `There is no option "${issue.keys[0] ?? ''}"; there are ${Object.keys(Options.shape).join(', ')}`
      : `${formatPath(issue.path)} ${issue.message}`.trim();
  throw new HiloError('INVALID_OPTIONS', { reason });
}
