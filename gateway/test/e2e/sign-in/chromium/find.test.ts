import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { unpackedChromium } from './debian.ts';
import { findChromium, type ChromiumSources } from './find.ts';

describe('Finding Chromium for the sign-in tests', () => {
  let dir: string;
  const place = async (path: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '#!/bin/sh\n');
    await chmod(path, 0o755);
  };
  const sources = (change: Partial<ChromiumSources> = {}): ChromiumSources => ({
    env: { PATH: join(dir, 'bin') },
    cacheDir: join(dir, 'cache'),
    playwrightPath: join(dir, 'playwright/chrome'),
    installers: [],
    ...change,
  });
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'penstock-chromium-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('takes what is there, the PATH first, and installs nothing then', async () => {
    const installers = [() => Promise.reject(new Error('nothing was to be installed'))];
    await place(unpackedChromium(join(dir, 'cache')).path);
    expect(await findChromium(sources({ installers }))).to.deep.equal(unpackedChromium(join(dir, 'cache')));
    await place(join(dir, 'playwright/chrome'));
    expect((await findChromium(sources({ installers }))).path).to.equal(join(dir, 'playwright/chrome'));
    await place(join(dir, 'bin/google-chrome'));
    expect((await findChromium(sources({ installers }))).path).to.equal(join(dir, 'bin/google-chrome'));
  });

  it('tries the next way where one fails, and stops at the first that gives one', async () => {
    const tried: string[] = [];
    const installers = [
      async () => {
        tried.push('no apt');
        throw new Error('no apt here');
      },
      async () => {
        tried.push('download');
        await place(join(dir, 'playwright/chrome'));
      },
      async () => void tried.push('too many'),
    ];
    expect((await findChromium(sources({ installers }))).path).to.equal(join(dir, 'playwright/chrome'));
    expect(tried).to.deep.equal(['no apt', 'download']);
  });

  it('says what to install where no way works, and why each failed', async () => {
    const installers = [() => Promise.reject(new Error('no apt here'))];
    const failure = await findChromium(sources({ installers })).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    const { message, cause } = failure as Error;
    expect(message)
      .to.include('apt-get install chromium')
      .and.to.include('npx playwright-core install chromium');
    expect((cause as AggregateError).errors.map(String)).to.deep.equal(['Error: no apt here']);
  });
});
