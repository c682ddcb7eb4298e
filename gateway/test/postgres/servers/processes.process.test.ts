import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
describe('the priority of server processes', () => {
  // Linux took one such change in a tenth of a second from whoever is not root, and two of five servers got it.
  it('is lowered for each of many that start at once', async function () {
    // Linux alone has groups, and not everywhere.
    if (!existsSync('/proc/self/autogroup')) this.skip();
    const script = join(import.meta.dirname, 'support/lowered.ts');
    const { stdout } = await run(process.execPath, [script], { cwd: '/' });
    expect(stdout).to.equal('10 10 10 10 10 10');
  });
});
