import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../../../..');

/** The agreed top level; beside it only dot files, the lock file and the license. */
const AGREED = ['proto', 'services', 'gateway', 'deploy', 'docker-compose.yml', 'package.json', 'tsconfig.json', 'Makefile', 'README.md']; // oxfmt-ignore

describe('the top level of the repository', () => {
  it('holds what was agreed and nothing else', () => {
    const entries = execFileSync('git', ['ls-tree', '--name-only', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
      .trim()
      .split('\n')
      .filter((name) => !name.startsWith('.') && name !== 'package-lock.json' && name !== 'LICENSE');
    expect(AGREED).to.include.members(entries);
  });
});
