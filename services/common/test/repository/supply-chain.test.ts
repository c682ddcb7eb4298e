import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from './support/pages.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

describe('what is installed', () => {
  it('is locked to versions and hashes', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, LockedPackage>>;
    };
    const foreign = Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && link !== true,
    );
    expect(foreign.length).to.be.greaterThan(100);
    const loose = foreign.filter(
      ([, { version, integrity }]) => !version || !integrity?.startsWith('sha512-'),
    );
    expect(loose.map(([path]) => path)).to.deep.equal([]);
  });

  it('is installed into images by the lock file, for production only, without running its scripts', () => {
    const dockerfile = readFileSync(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8');
    const installs = dockerfile.match(/^RUN .*\bnpm\b.*$/gm) ?? [];
    expect(installs.length).to.be.greaterThan(0);
    for (const install of installs) expect(install).to.match(/^RUN npm ci --omit=dev --ignore-scripts /);
  });

  it('is installed for development by the lock file', () => {
    const makefile = readFileSync(join(ROOT, 'Makefile'), 'utf8');
    expect(makefile)
      .to.match(/\bnpm ci\b/)
      .and.not.match(/\bnpm (install|i)\b/);
  });
});
