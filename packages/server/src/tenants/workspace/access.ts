import { z } from 'zod';
import { Id, HeaderSecret, Instant, Name, optional, Secret, Text } from './fields.ts';

/** Who may use the REST API (AUT-01). The id ends at the first colon of what is sent, and so holds none. */
export const Client = z.strictObject({
  clientId: Text.regex(/^[^:\p{Cc}]{1,256}$/u, 'A client id has 1 to 256 characters and no colon'),
  clientSecret: Secret,
});

/** Who may use the gateway (AUT-02, AUT-12). */
export const ApiKey = z.strictObject({
  id: Id,
  key: HeaderSecret,
  name: optional(Name),
  createdAt: optional(Instant),
  revokedAt: optional(Instant),
});

/** A token of the older kind for one function (TOK rules, AUT-09). */
const RuntimeToken = z.strictObject({
  id: Id,
  name: Name,
  token: HeaderSecret.refine((token) => token === undefined || /^[a-z]+_rt_/.test(token), {
    error: 'A runtime token begins with a prefix that ends in "rt_", such as "hfn_rt_"',
  }),
  createdAt: optional(Instant),
  lastUsedAt: optional(Instant),
  revokedAt: optional(Instant),
});

const Tool = z.strictObject({
  name: z.string().regex(/^[\w-]{1,128}$/, 'The name of a tool has 1 to 128 letters, digits, "_" or "-"'),
  description: Text.max(10_000),
  inputSchema: z.record(z.string(), z.json()),
});

/** A deployed function: its module, in a file or as it is. */
export const Function = z
  .strictObject({
    id: Id,
    name: Name,
    file: optional(Text.min(1)),
    source: optional(Text.max(1_000_000)),
    tools: z.array(Tool).default([]),
    runtimeTokens: z.array(RuntimeToken).default([]),
  })
  .refine(({ file, source }) => (file === undefined) !== (source === undefined), {
    error: 'A function has either "file" or "source"',
    path: ['file'],
  });

const field = Text.min(1).max(65_536);

const databaseServer = {
  host: field,
  port: z.int().min(1).max(65_535).exactOptional(),
  database: field,
  username: field,
  password: Secret,
  tls: z.enum(['verify', 'off']).default('verify'),
  readOnly: z.boolean().default(false),
};

/** What signs a call of a canvas in, of the kinds of `HttpCredential` in `@hilo/drivers`. Canvases name it by id. */
export const Credential = z.discriminatedUnion('kind', [
  z.strictObject({ id: Id, kind: z.literal('basic'), username: Text.regex(/^[^:]*$/, 'A user name has no colon'), password: Secret }),
  z.strictObject({ id: Id, kind: z.literal('bearer'), token: Secret }),
  z.strictObject({ id: Id, kind: z.literal('api-key'), in: z.enum(['header', 'query']).default('header'), name: field, value: Secret }),
  z.strictObject({ id: Id, kind: z.literal('client-certificate'), cert: field, key: Secret, passphrase: Secret }),
  // Not a call: an account with a payment provider.
  z.strictObject({
    id: Id,
    kind: z.literal('stripe'),
    secretKey: HeaderSecret,
    webhookSecret: HeaderSecret,
    baseUrl: optional(z.url({ protocol: /^https?$/, error: 'It must be an address such as https://api.stripe.com' })),
  }),
  // Connections of the node `database`, of the kinds of `DatabaseCredential` in `@hilo/drivers`.
  z.strictObject({ id: Id, kind: z.literal('postgresql'), ...databaseServer, schema: field.default('public') }),
  z.strictObject({ id: Id, kind: z.literal('mysql'), ...databaseServer }),
  z.strictObject({ id: Id, kind: z.literal('sqlite'), file: field, readOnly: z.boolean().default(false) }),
]);
export type Credential = z.output<typeof Credential>;

/** The fields of a credential that are secrets, and whether it is of any use without them. */
export const credentialSecrets: { readonly [Kind in Credential['kind']]: { readonly [field: string]: 'required' | 'optional' } } = {
  basic: { password: 'required' },
  bearer: { token: 'required' },
  'api-key': { value: 'required' },
  'client-certificate': { key: 'required', passphrase: 'optional' },
  stripe: { secretKey: 'required', webhookSecret: 'required' },
  postgresql: { password: 'required' },
  mysql: { password: 'required' },
  sqlite: {},
};
