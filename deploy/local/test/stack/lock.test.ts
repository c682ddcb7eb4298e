import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeDataDir } from '../../src/stack/lock.ts';

describe('the data folder of a stack', () => {
  it('is a folder, and says so where a file is in its place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-data-'));
    try {
      await makeDataDir(join(folder, 'new', 'one'));
      const file = join(folder, 'file');
      await writeFile(file, '');
      for (const place of [file, join(file, 'below')]) {
        const error: unknown = await makeDataDir(place).catch((thrown: unknown) => thrown);
        expect(String(error)).to.equal(
          `Error: no data can be kept in ${place}: a file is in its place; set PENSTOCK_DATA_DIR to another folder`,
        );
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
