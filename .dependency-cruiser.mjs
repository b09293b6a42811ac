// Which file may import which: `nodes, stores → engine/contract`, `postgres → stores`, `drivers → engine/contract, nodes/effects`, `channels, integrations → drivers`,
// `simulator → engine, nodes, sandbox`, `testing → simulator, engine, nodes`, `picture → engine/contract`,
// `mcp → simulator, picture and below`, `server → stores, postgres, channels, integrations, drivers, mcp, picture and below`, `cli → all but testing`, never back.

/** Tests may use what their package may not: those of the engine use @hilo/testing. */
const test = String.raw`\.test(-d)?\.ts$|^packages/[^/]+/(test|bench)/`;
const contract = '^packages/engine/src/contract/';
/** What refuses an old Node.js. */
const requireNode = String.raw`^packages/engine/src/require-node\.ts$`;
/** A resource of the service: `webhooks`, `messages`, `campaigns` and so on. */
const resource = '^packages/server/src/(?!platform/|tenants/|service/)([^/]+)/';
/** The packages whose files are joined with what they use of others (scripts/bundle.ts): nothing of that is installed beside them. */
const joined = '^packages/(engine|nodes)/src/';
/** What becomes part of their files, and is named by no declaration that they publish. */
const inTheirFiles = '@noble/hashes|croner|eventemitter3|immer|libphonenumber-js|luxon|re2js';
const lowerLayers = '^packages/engine/src/(contract|expressions|variables|plans)/';

/** Sources of `folder` import nothing that matches `to.path`. */
const never = (name, comment, folder, to) => ({ name, comment, severity: 'error', from: { path: folder, pathNot: test }, to });

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Two files that need each other are one file, or three.',
      from: {},
      to: { circular: true },
    },
    { name: 'resolvable', severity: 'error', comment: 'The import leads nowhere.', from: {}, to: { couldNotResolve: true } },
    never('only-entry-points', 'Another package is what its package.json exports.', '^packages/([^/]+)/', {
      path: '^packages/',
      pathNot: [
        '^packages/$1/',
        String.raw`^packages/[^/]+/(src/|src/contract/|src/contracts/|src/effects/)index\.ts$`,
        '^packages/mcp/src/(docs|simulation)\\.ts$',
        '^packages/server/src/(kit|parts|project)\\.ts$',
        '^packages/stores/src/sql-kit\\.ts$',
        '^packages/drivers/src/kit\\.ts$',
        '^packages/engine/src/(node|debug|authoring|node-kit|store-kit|runtime-kit|require-node)\\.ts$',
        String.raw`^packages/nodes/[^/]+\.json$`,
      ],
    }),
    never('engine-stands-alone', 'The engine knows no node and no service.', '^packages/engine/src/', {
      path: '^packages/(?!engine/)',
    }),
    never('nodes-on-the-contract', 'A node is written against @hilo/engine/contract alone.', '^packages/nodes/src/', {
      path: '^packages/(?!nodes/)',
      pathNot: contract,
    }),
    never('simulator-below-server', '@hilo/simulator serves those who have no server and no fast-check.', '^packages/simulator/src/', {
      path: '^packages/(?!simulator/|engine/|nodes/|sandbox/)|/node_modules/fast-check/',
    }),
    never('testing-on-the-simulator', '@hilo/testing serves those who have no server.', '^packages/testing/src/', {
      path: '^packages/(?!testing/|simulator/|engine/|nodes/)',
    }),
    never('picture-on-the-contract', 'A picture is drawn from the canvas and the definitions of its nodes.', '^packages/picture/src/', {
      path: '^packages/(?!picture/)',
      pathNot: contract,
    }),
    never('authoring-below-server', '@hilo/mcp asks management by its interface alone.', '^packages/mcp/src/', {
      path: '^packages/(?!mcp/|engine/|nodes/|simulator/|picture/)',
    }),
    never('server-below-the-command', 'The service knows neither the command line nor what serves tests.', '^packages/server/src/', {
      path: '^packages/(cli|testing)/',
    }),
    never('command-without-tests', 'Who installs the command gets nothing that serves tests.', '^packages/cli/src/', {
      path: '^packages/testing/|/node_modules/fast-check/',
    }),
    never('stores-on-the-contract', 'A store is written against @hilo/engine/contract alone.', '^packages/stores/src/', {
      path: '^packages/(?!stores/)',
      pathNot: [contract, requireNode],
    }),
    never(
      'postgres-on-the-stores',
      'PostgreSQL shares its statements with the other stores, and knows no service.',
      '^packages/postgres/src/',
      {
        path: '^packages/(?!postgres/)',
        pathNot: [contract, requireNode, String.raw`^packages/stores/src/(index|sql-kit)\.ts$`],
      },
    ),
    never(
      'drivers-on-effects',
      'A driver performs an effect: of the engine it knows the contract, of the nodes their effects.',
      '^packages/drivers/src/',
      {
        path: '^packages/(?!drivers/)',
        pathNot: [
          contract,
          requireNode,
          '^packages/engine/src/node\\.ts$',
          '^packages/nodes/src/effects/index\\.ts$',
          '^packages/sandbox/src/index\\.ts$',
        ],
      },
    ),
    never(
      'channels-on-the-drivers',
      'An adapter of a provider calls it through the dialer of the drivers, and knows no service.',
      '^packages/channels/src/',
      {
        path: '^packages/(?!channels/)',
        pathNot: [contract, requireNode, String.raw`^packages/(drivers|nodes)/src/index\.ts$`, '^packages/nodes/src/effects/index\\.ts$'],
      },
    ),
    never(
      'integrations-on-the-drivers',
      'What calls another system goes through the drivers, and knows no channel and no service.',
      '^packages/integrations/src/',
      {
        path: '^packages/(?!integrations/)',
        pathNot: [
          contract,
          requireNode,
          String.raw`^packages/(drivers/src/(index|kit)|engine/src/node)\.ts$`,
          '^packages/nodes/src/effects/index\\.ts$',
        ],
      },
    ),
    never('studio-in-the-browser', 'The studio runs in a browser: of the service it knows the management API.', '^packages/studio/src/', {
      path: '^packages/(?!studio/|client/|engine/|nodes/|simulator/)|^(node:)?(fs|path|http|crypto|process)$',
    }),
    never(
      'one-door-out',
      'All that leaves goes through the dialer, which knows where it may go (P30). Restate calls its handlers by HTTP/2.',
      '^packages/(?!drivers/src/dialer/|restate/src/restate-runtime)',
      {
        path: '/node_modules/undici/|^(node:)?(dns|dns/promises|tls|https|http2|dgram)$',
      },
    ),
    never('contract-on-zod', 'Whoever implements the contract gets zod and luxon with it, and no other library.', contract, {
      path: '/node_modules/',
      pathNot: '/node_modules/(zod|(@types/)?luxon)/',
    }),
    never('lower-layers', 'Contract, expressions, variables and plans know nothing of canvases and executions.', lowerLayers, {
      path: '^packages/engine/src/',
      pathNot: lowerLayers,
    }),
    never('machine-below-runtime', 'The machine is pure: it knows no store, no clock and no lane.', '^packages/engine/src/machine/', {
      path: '^packages/engine/src/',
      pathNot: '^packages/engine/src/(machine|variables|expressions|canvas|contract|plans)/',
    }),
    never('canvas-below-machine', 'A canvas is checked and compiled before anything executes it.', '^packages/engine/src/canvas/', {
      path: '^packages/engine/src/(machine|runtime|memory)/',
    }),
    never(
      'memory-on-the-contract',
      'The in-memory stores are written against the contract alone, as every other store.',
      '^packages/engine/src/memory/',
      {
        path: '^packages/engine/src/',
        pathNot: '^packages/engine/src/(memory|contract)/',
      },
    ),
    never('xstate-in-the-machine', 'One folder knows how executions are run.', '^packages/(?!engine/src/machine/)', {
      path: '/node_modules/xstate/',
    }),
    never('server-platform', 'The platform of the service knows no company and no resource.', '^packages/server/src/platform/', {
      path: '^packages/server/src/',
      pathNot: '^packages/server/src/platform/',
    }),
    never('server-tenants', 'Companies stand on the platform and know no resource.', '^packages/server/src/tenants/', {
      path: '^packages/server/src/',
      pathNot: '^packages/server/src/(platform|tenants)/',
    }),
    never('server-resources', 'A resource takes a Pick of what it needs: where all meets (service/app.ts) is above it.', resource, {
      path: '^packages/server/src/([^/]+$|service/)',
    }),
    never(
      'server-resource-doors',
      'A resource is reached by its `<resource>.ts`; what sends messages also by the steps of a send.',
      resource,
      {
        path: resource,
        pathNot: [
          '^packages/server/src/$1/',
          String.raw`^packages/server/src/([^/]+)/\1\.ts$`,
          String.raw`^packages/server/src/messages/(send-request|accept-send|consent-gate|media/media-check)\.ts$`,
        ],
      },
    ),
    never('server-without-testing', 'Who installs the service gets nothing that only tests use.', '^packages/server/src/', {
      path: '^packages/(testing|studio)/|/node_modules/fast-check/',
    }),
    never('no-dev-dependencies', 'Who installs the package does not get this dependency.', '^packages/(?!(engine|nodes)/)[^/]+/src/', {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['npm', 'npm-peer', 'type-only'],
      pathNot: '/node_modules/@types/',
    }),
    never('no-dev-dependencies-joined', 'It would become part of the files of the package: is that meant?', joined, {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['npm', 'npm-peer', 'type-only'],
      pathNot: `/node_modules/(@types|${inTheirFiles})/`,
    }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true, // an import of types is an import
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
    combinedDependencies: false,
  },
};
