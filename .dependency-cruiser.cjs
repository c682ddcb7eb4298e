/**
 * Who may import what. Each rule is a sentence of services/README.md; services/common/test/repository/boundaries.test.ts
 * plants a violation of each and expects it to be caught.
 */
const ENGINE = '^services/query-engine/src/';

/** The engine's stages in order: each imports only itself and those before it. */
const STAGES = [
  'scheduling',
  'parser',
  'catalog',
  'logical',
  'binder',
  'optimizer',
  'dynamodb',
  'planning',
  'duckdb-sql',
  'execution',
];

const stageRules = STAGES.map((stage, i) => ({
  name: `engine-stage-${stage}`,
  comment: `${stage}/ may import only the stages before it`,
  severity: 'error',
  from: { path: `${ENGINE}${stage}/` },
  // limits.ts is a leaf of names and numbers that every stage may read.
  to: { path: ENGINE, pathNot: `${ENGINE}((${STAGES.slice(0, i + 1).join('|')})/|limits[.]ts$)` },
}));

/** Host and workers share what they say, and nothing of what they do. */
const processRules = [
  {
    name: 'engine-host',
    comment:
      'the host does nothing with a statement: it imports none of the stages that do, nor what runs in workers',
    severity: 'error',
    from: { path: `${ENGINE}(host|rpc)/` },
    to: {
      path: ENGINE,
      pathNot: `${ENGINE}((host|rpc|pipe|clients|catalog|scheduling)/|limits[.]ts$|worker[.]ts$)`,
    },
  },
  {
    name: 'engine-worker',
    comment: 'a worker knows its host by what the two say to each other',
    severity: 'error',
    from: { path: `${ENGINE}(worker/|worker[.]ts$)` },
    to: { path: `${ENGINE}(host|rpc)/` },
  },
  {
    name: 'engine-pipe',
    comment: 'what host and workers say to each other depends on neither',
    severity: 'error',
    from: { path: `${ENGINE}pipe/` },
    to: { path: ENGINE, pathNot: `${ENGINE}((pipe|clients|catalog|scheduling)/|limits[.]ts$)` },
  },
  {
    name: 'only-the-host-starts-processes',
    severity: 'error',
    from: { path: ENGINE, pathNot: `${ENGINE}host/processes/` },
    to: { path: '^(node:)?child_process$' },
  },
];

/** A package that only some folders may import. */
const only = (name, packages, allowed) => ({
  name,
  severity: 'error',
  from: { path: '^(gateway|services|deploy)/', pathNot: [...allowed, '/(test|bench)/'] },
  to: { path: packages },
});

const CONSOLE = '^gateway/src/console/';

/** What the console's browser code is made of. */
const BROWSER_PACKAGES =
  'node_modules/(preact|@preact/signals|@codemirror|@lezer|uplot|@tanstack/virtual-core|(@types/)?d3-hierarchy|lossless-json)/';

/** The console's two halves share what they say to each other, and nothing of what they do. */
const consoleRules = [
  {
    name: 'console-web',
    comment:
      "the console's browser code imports itself, what it says to the server, and packages for browsers",
    severity: 'error',
    from: { path: `${CONSOLE}web/` },
    to: { pathNot: [`${CONSOLE}(web|api)/`, BROWSER_PACKAGES] },
  },
  {
    name: 'console-web-runs-in-browsers',
    comment: "nothing on the server imports the console's browser code",
    severity: 'error',
    from: { path: '^(gateway|services|deploy)/', pathNot: [`${CONSOLE}web/`, '/(test|bench)/'] },
    to: { path: `${CONSOLE}web/` },
  },
  {
    name: 'console-api',
    comment: "what the console's halves say to each other depends on neither, nor on any package",
    severity: 'error',
    from: { path: `${CONSOLE}api/` },
    to: { pathNot: `${CONSOLE}api/` },
  },
];

/** What starts engines, processes or a stack for tests: files of a lane may not reach what another lane is for. */
const STARTS_ENGINES = '^deploy/local/src/aws/server[.]ts$|^services/query-engine/test/host/test-host[.]ts$';
const STARTS_PROCESSES =
  '^deploy/local/src/stack/redis[.]ts$|^services/common/test/usage/support/redis[.]ts$|/chromium/launch[.]ts$';
const STARTS_STACKS = '^deploy/local/src/stack/stack[.]ts$';

const laneRules = [
  {
    name: 'unit-tests-start-nothing',
    comment:
      'a test that starts an engine, a store or a process says so by its name: x.engine.test.ts, x.process.test.ts, x.stack.test.ts',
    severity: 'error',
    from: { path: '[.]test[.]ts$', pathNot: '[.](engine|process|stack)[.]test[.]ts$' },
    to: { path: `${STARTS_STACKS}|${STARTS_PROCESSES}|${STARTS_ENGINES}`, reachable: true },
  },
  {
    name: 'engine-tests-start-no-processes',
    comment:
      'a test that starts Redis, a browser or the stack says so by its name: x.process.test.ts, x.stack.test.ts',
    severity: 'error',
    from: { path: '[.]engine[.]test[.]ts$' },
    to: { path: `${STARTS_STACKS}|${STARTS_PROCESSES}`, reachable: true },
  },
];

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'folders may not depend on each other in a circle',
      severity: 'error',
      from: { path: '^(.+)/[^/]+$' },
      to: { circular: true, via: { pathNot: '^$1/', dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-circular-by-value',
      comment: 'files may name types of each other, but hand functions down where one needs the other',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-cross-service',
      comment: 'gateway and services talk by RPC; what they share is services/common',
      severity: 'error',
      from: { path: '^(gateway|services/[^/]+)/src/' },
      to: { path: '^(gateway|services/[^/]+|deploy)/', pathNot: ['^$1/', '^services/common/'] },
    },
    {
      name: 'common-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^services/common/src/' },
      to: { path: '^(gateway|services|deploy)/', pathNot: ['^services/common/'] },
    },
    {
      name: 'generated-code-at-the-edge',
      comment: 'generated code only in rpc/, clients/ and common',
      severity: 'error',
      from: {
        path: '^(gateway|services|deploy)/',
        pathNot: [
          '^services/common/src/',
          '/src/(rpc|clients)/',
          '^services/auth/src/admin/',
          '/(test|bench)/',
        ],
      },
      to: { path: '^services/common/src/gen/' },
    },
    only('aws-sdk-at-the-edge', 'node_modules/@aws-sdk/', [
      '^services/common/src/(aws|dynamodb|store)/',
      '/src/(dynamodb|store)/',
      '^deploy/local/',
    ]),
    only('duckdb-only-in-execution', 'node_modules/@duckdb/', [`${ENGINE}execution/`]),
    // What a session says to its server is its client's own words, which no library may read first.
    only('pg-only-for-what-servers-are-told-by-their-owner', 'node_modules/pg/', [
      '^gateway/src/postgres/servers/',
    ]),
    {
      name: 'postgres-servers-know-no-session',
      comment: "a tenant's server and what is said to it serve sessions, and know nothing of them",
      severity: 'error',
      from: { path: '^gateway/src/postgres/(servers|backend)/' },
      to: { path: '^gateway/src/postgres/(session|connection|authentication|cancel)/' },
    },
    {
      name: 'postgres-servers-know-no-protocol',
      comment: 'servers are started, told their tables and ended; who talks to them is above',
      severity: 'error',
      from: { path: '^gateway/src/postgres/servers/' },
      to: { path: '^gateway/src/postgres/(backend|wire|engine|statements)/' },
    },
    only('node-sql-parser-only-in-parser', 'node_modules/node-sql-parser/', [`${ENGINE}parser/`]),
    only('jose-only-where-tokens-are-made-or-checked', 'node_modules/jose/', [
      '^services/auth/',
      '^services/common/src/token/',
      '^gateway/src/middleware/',
    ]),
    only('oidc-provider-only-in-auth', 'node_modules/oidc-provider/', ['^services/auth/']),
    only('esbuild-only-where-the-console-is-built', 'node_modules/esbuild/', [`${CONSOLE}build/`]),
    ...consoleRules,
    ...laneRules,
    ...stageRules,
    ...processRules,
    { name: 'src-not-to-test', severity: 'error', from: { path: '/src/' }, to: { path: '/(test|bench)/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What Prisma is tried by is a package of its own: its dependencies are beside a copy of it.
    exclude: { path: '[.]penstock|^gateway/dist/|/clients/engines/prisma/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
