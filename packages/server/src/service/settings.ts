/** How a service is set up. For a command, flags go before environment variables, those before `hilo.config.ts`, and that before the defaults. */
export interface Settings {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** Under which address people reach this service, such as behind a proxy; the address listened on, when left out. */
  readonly publicUrl?: string | undefined;
  /** The directory that holds `hilo.db`, and the key that secrets are encrypted with when none is given. */
  readonly data: string;
  /** What keeps the lanes of executions; this process and its store, when undefined. */
  readonly runtime?: 'restate' | undefined;
  /** The ingress of a Restate cluster; a server of this process's own, when left out. */
  readonly restateUrl?: string | undefined;
  /** Where a Restate cluster calls this process. */
  readonly restateService?: string | undefined;
  /** `host:port` where this process listens for a Restate cluster, when `restateService` is the balancer of several. */
  readonly restateListen?: string | undefined;
  /** The public keys that a Restate cluster signs its calls with (`publickeyv1_…`). Unsigned calls are taken, when left out. */
  readonly restateIdentity?: readonly string[] | undefined;
  /** The `restate-server` program; that of its npm package, when left out. */
  readonly restateServer?: string | undefined;
  /** PostgreSQL instead of SQLite. */
  readonly databaseUrl: string | undefined;
  /** Where other processes of the same PostgreSQL reach this one; they leave calls for it in the database, when left out. */
  readonly advertiseUrl?: string | undefined;
  /** The cell of this process, and the file that lists the slots of each cell; this process serves all slots, when left out. */
  readonly cell?: string | undefined;
  readonly cells?: string | undefined;
  /** What secrets are encrypted with: 32 bytes in base64. Without it, a key file in `data` that is made at the first start. */
  readonly secretKey?: string | undefined;
  /** The key until now, while `hilo keys rotate` replaces it: read and no more encrypted with. */
  readonly secretKeyBefore?: string | undefined;
  /** A workspace file to import at start. */
  readonly workspace: string | undefined;
  /**
   * Whether the workspace replaces, at the start, what management changed of its workflows since it was imported. Else the service does
   * not start with a file whose workflow was changed on both sides.
   */
  readonly overwrite?: boolean | undefined;
  /** The token that management requires, 16 characters or more. Without it, that of the file `admin.token` in `data`, made at first start. */
  readonly adminToken: string | undefined;
  /** `host:port` pairs that outbound calls may reach though they are private. */
  readonly egressAllow: readonly string[];
  /** A PEM file with certificates that outbound TLS trusts in addition. */
  readonly egressCa: string | undefined;
  /** Requests a second for each credential; none, when undefined. */
  readonly rateLimit: number | undefined;
  /** Messages that the anonymous visitors of one network may send in a day, to all web chats of a process; 20,000, when undefined. */
  readonly visitorMessagesADay?: number | 'off' | undefined;
  /** Days that executions are kept after their end; failed ones have their own number. */
  readonly keepDays: number;
  readonly keepFailedDays: number;
  /** Days that the record of what operators did is kept; 400, when left out. */
  readonly keepAudit?: number | undefined;
  /** The address of an OpenID provider that people log in with, and what it calls this service. */
  readonly oidcIssuer?: string | undefined;
  readonly oidcClientId?: string | undefined;
  readonly oidcClientSecret?: string | undefined;
  /** The claim that says what somebody may do; `hilo`, when undefined. */
  readonly oidcClaim?: string | undefined;
  /** What is asked for; `openid profile email`, when undefined. */
  readonly oidcScope?: string | undefined;
  /** Where histories of executions that have ended go: a directory, or `s3://bucket/prefix`. They stay in the store alone, when undefined. */
  readonly historyOutbox?: string | undefined;
  /** The S3-compatible server of the bucket; that of AWS in the region, when left out. */
  /** Where the bytes of files of users are kept: `s3://bucket/prefix`. They are in the store, when undefined. */
  readonly files?: string | undefined;
  readonly s3Endpoint?: string | undefined;
  readonly s3Region?: string | undefined;
  readonly s3KeyId?: string | undefined;
  readonly s3Secret?: string | undefined;
  readonly s3SessionToken?: string | undefined;
  readonly log: 'pretty' | 'json';
  /** Addresses and networks of proxies in front, whose `X-Forwarded-For` is believed; none, when undefined. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Hosts of the legacy paths; all, when undefined. */
  readonly legacyHosts: readonly string[] | undefined;
}

/** The settings of an open service: management always requires a token. */
export interface OpenSettings extends Settings {
  readonly adminToken: string;
}

/** The settings of a service where none are given. */
export const defaultSettings: Settings = {
  port: 3_000,
  host: '127.0.0.1',
  data: './data',
  databaseUrl: undefined,
  workspace: undefined,
  adminToken: undefined,
  egressAllow: [],
  egressCa: undefined,
  rateLimit: undefined,
  keepDays: 30,
  keepFailedDays: 90,
  log: 'pretty',
  legacyHosts: undefined,
};
