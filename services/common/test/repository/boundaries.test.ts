import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../../../..');

/** One planted violation of each rule: the file, what it imports, and the rule that must name it. */
const PLANTED: readonly { readonly rule: string; readonly file: string; readonly text: string }[] = [
  { rule: 'no-circular', file: 'services/auth/src/planted-a/a.ts', text: "import { b } from '../planted-b/b.ts';\nexport const a = (): unknown => b;" },
  { rule: 'no-circular-by-value', file: 'services/auth/src/planted-c/a.ts', text: "import { b } from './b.ts';\nexport const a = (): unknown => b;" },
  { rule: 'not-to-unresolvable', file: 'gateway/src/planted.ts', text: "import './there-is-no-such-file.ts';" },
  { rule: 'no-cross-service', file: 'gateway/src/planted-cross.ts', text: "import '../../services/auth/src/main.ts';" },
  { rule: 'common-imports-nothing-of-ours', file: 'services/common/src/planted.ts', text: "import '../../auth/src/main.ts';" },
  { rule: 'generated-code-at-the-edge', file: 'services/query-engine/src/binder/planted-gen.ts', text: "import '@penstock/common/gen/penstock/query/v1/query_pb.js';" },
  { rule: 'aws-sdk-at-the-edge', file: 'services/query-engine/src/planning/planted-aws.ts', text: "import '@aws-sdk/client-dynamodb';" },
  { rule: 'duckdb-only-in-execution', file: 'services/query-engine/src/planning/planted-duckdb.ts', text: "import '@duckdb/node-api';" },
  { rule: 'pg-only-for-what-servers-are-told-by-their-owner', file: 'gateway/src/postgres/backend/planted-pg.ts', text: "import 'pg';" },
  { rule: 'postgres-servers-know-no-session', file: 'gateway/src/postgres/backend/planted-session.ts', text: "import '../session/pace.ts';" },
  { rule: 'postgres-servers-know-no-protocol', file: 'gateway/src/postgres/servers/planted.ts', text: "import '../wire/fields-out.ts';" },
  { rule: 'node-sql-parser-only-in-parser', file: 'services/query-engine/src/binder/planted-parser.ts', text: "import 'node-sql-parser/build/postgresql.js';" },
  { rule: 'jose-only-where-tokens-are-made-or-checked', file: 'services/query-engine/src/rpc/planted-jose.ts', text: "import 'jose';" },
  { rule: 'engine-stage-parser', file: 'services/query-engine/src/parser/planted.ts', text: "import '../logical/plan.ts';" },
  { rule: 'engine-stage-logical', file: 'services/query-engine/src/logical/planted.ts', text: "import '../optimizer/planted-target.ts';" },
  { rule: 'engine-stage-dynamodb', file: 'services/query-engine/src/dynamodb/planted.ts', text: "import '../planning/planted-target.ts';" },
  { rule: 'engine-stage-planning', file: 'services/query-engine/src/planning/planted.ts', text: "import '../duckdb-sql/planted-target.ts';" },
  { rule: 'engine-host', file: 'services/query-engine/src/host/planted.ts', text: "import '../planning/planted-target.ts';" },
  { rule: 'engine-worker', file: 'services/query-engine/src/worker/planted.ts', text: "import '../host/limits.ts';" },
  { rule: 'engine-pipe', file: 'services/query-engine/src/pipe/planted.ts', text: "import '../planning/planted-target.ts';" },
  { rule: 'only-the-host-starts-processes', file: 'services/query-engine/src/planning/planted-process.ts', text: "import 'node:child_process';" },
  { rule: 'esbuild-only-where-the-console-is-built', file: 'gateway/src/planted-esbuild.ts', text: "import 'esbuild';" },
  { rule: 'console-web', file: 'gateway/src/console/web/planted-server.ts', text: "import '../../limits.ts';" },
  { rule: 'console-web', file: 'gateway/src/console/web/planted-node.tsx', text: "import 'node:fs';" },
  { rule: 'console-web', file: 'gateway/src/console/web/planted-package.ts', text: "import 'express';" },
  { rule: 'console-web-runs-in-browsers', file: 'gateway/src/routes/planted-web.ts', text: "import '../console/web/planted-target.ts';" },
  { rule: 'console-api', file: 'gateway/src/console/api/planted.ts', text: "import '../web/planted-target.ts';" },
  { rule: 'unit-tests-start-nothing', file: 'services/auth/test/planted.test.ts', text: "import './planted-fixture.ts';" },
  { rule: 'engine-tests-start-no-processes', file: 'services/auth/test/planted.engine.test.ts', text: "import '../../common/test/usage/support/redis.ts';" },
  { rule: 'src-not-to-test', file: 'services/usage-metering/src/planted.ts', text: "import '../test/planted-target.ts';" },
]; // oxfmt-ignore

const TARGETS = [
  'services/query-engine/src/optimizer/planted-target.ts',
  'services/query-engine/src/planning/planted-target.ts',
  'services/query-engine/src/duckdb-sql/planted-target.ts',
  'services/usage-metering/test/planted-target.ts',
  'gateway/src/console/web/planted-target.ts',
  'gateway/src/postgres/catalog/execution/planted-target.ts',
];

/** Files that planted ones go through. */
const FIXTURE = {
  file: 'services/auth/test/planted-fixture.ts',
  text: "import '../../query-engine/test/host/test-host.ts';",
};

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

describe('the boundary rules of make check', () => {
  let tree: string;

  before(() => {
    tree = copyOfTheTree();
  });
  after(() => rmSync(tree, { recursive: true, force: true }));

  it('catch one planted violation each, and nothing in the tree as it is', async function () {
    this.timeout(60_000);
    for (const target of TARGETS) write(join(tree, target), 'export {};');
    write(join(tree, FIXTURE.file), FIXTURE.text);
    // The other halves of the circles, each of which is reported once.
    const otherHalf = (folder: string, from: string): void =>
      write(
        join(tree, 'services/auth/src', folder, 'b.ts'),
        `import { a } from '${from}';\nexport const b = (): unknown => a;`,
      );
    otherHalf('planted-b', '../planted-a/a.ts');
    otherHalf('planted-c', './a.ts');
    for (const planted of PLANTED) write(join(tree, planted.file), planted.text);
    const found = await violations(tree);
    expect(found.filter(({ from }) => !from.includes('planted'))).to.deep.equal([]);
    for (const { rule, file } of PLANTED) {
      expect(
        found.some((v) => v.rule.name === rule && v.from === file),
        `${rule} in ${file}`,
      ).to.equal(true);
    }
  });
});

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

/** The real tree stays untouched: other tests run from it. Packages are linked, ours to the copy. */
function copyOfTheTree(): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'penstock-boundaries-')));
  for (const entry of [
    'gateway',
    'services',
    'deploy',
    'package.json',
    'tsconfig.json',
    '.dependency-cruiser.cjs',
  ]) {
    cpSync(join(ROOT, entry), join(tree, entry), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
  }
  mkdirSync(join(tree, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.') && name !== '@penstock') {
      symlinkSync(join(ROOT, 'node_modules', name), join(tree, 'node_modules', name));
    }
  }
  mkdirSync(join(tree, 'node_modules/@penstock'));
  symlinkSync(join(tree, 'services/common'), join(tree, 'node_modules/@penstock/common'));
  return tree;
}

async function violations(tree: string): Promise<readonly Violation[]> {
  const run = promisify(execFile)(
    join(ROOT, 'node_modules/.bin/depcruise'),
    ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'gateway', 'services', 'deploy'],
    { cwd: tree, maxBuffer: 64 * 1024 * 1024 },
  );
  // A run that finds violations exits with their number; its output is the same.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}
