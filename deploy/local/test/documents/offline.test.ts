import { execFile } from 'node:child_process';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { IS_LONG } from '../../../../services/common/test/support/random-budget.ts';
import { ROOT } from '../docker/support/image.ts';

/**
 * What validates compose files, chart, alerts, dashboard and the access role's templates. That of CloudFormation's is not
 * here: it needs no network either, but asks the local AWS endpoint over the loopback interface.
 */
const TESTS = IS_LONG
  ? [
      'customer-role/terraform.test.ts',
      'docker/{compose-file,compose-valid,dockerfile}.test.ts',
      'documents/{helm-values,settings}.test.ts',
      'helm/*.test.ts',
      'observability/files.test.ts',
    ]
  : // All of them run once more where they stand: here one is enough for each program that validates.
    [
      'customer-role/terraform.test.ts',
      'docker/compose-file.test.ts',
      'helm/chart.test.ts',
      'observability/files.test.ts',
    ];
/** Files and tests that there are at least. */
const [FILES_MIN, PASSES_MIN] = IS_LONG ? [9, 61] : [4, 35];
const RUN_MS_MAX = 120_000;

describe('what is deployed', function () {
  this.timeout(RUN_MS_MAX);

  it('is validated without a network', async () => {
    const files: string[] = [];
    for await (const file of glob(TESTS, { cwd: join(ROOT, 'deploy/local/test') })) files.push(file);
    expect(files).to.have.length.at.least(FILES_MIN);
    const paths = files.map((file) => join('deploy/local/test', file));
    const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
    const mocha = [
      process.execPath,
      join(ROOT, 'node_modules/mocha/bin/mocha.js'),
      '--reporter',
      'json',
      ...paths,
    ];
    // A namespace of its own has no interface that is up, not even the loopback one.
    const running = promisify(execFile)('unshare', [...user, '--net', ...mocha], {
      cwd: ROOT,
      timeout: RUN_MS_MAX,
    });
    // Mocha exits with the number of failures.
    const { stdout } = await running.catch((error: { readonly stdout: string }) => error);
    const { stats, failures } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
      readonly stats: { readonly passes: number };
      readonly failures: readonly { readonly fullTitle: string }[];
    };
    expect(failures.map(({ fullTitle }) => fullTitle)).to.deep.equal([]);
    expect(stats.passes).to.be.at.least(PASSES_MIN);
  });
});
