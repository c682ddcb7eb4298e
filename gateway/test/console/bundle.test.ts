import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bundleConsole, type Bundle } from '../../src/console/build/bundle.ts';
import { licenseFile } from '../../src/console/build/licenses.ts';

/** What is loaded before one can write a query, compressed either way: browsers take Brotli over TLS only. */
const FIRST_LOAD_BYTES_MAX = 200_000;

describe("the console's bundle", () => {
  let bundle: Bundle;
  before(async function () {
    this.timeout(60_000);
    bundle = await bundleConsole();
  });
  const contentOf = (name: string): Uint8Array => {
    const file = bundle.files.find((each) => each.name === name);
    if (file === undefined) throw new Error(`there is no ${name}`);
    return file.content;
  };

  it('is at most 200 KB compressed at first load, the editor with it', function () {
    this.timeout(60_000);
    const { script, style, imports } = bundle.entry;
    const first = [script, style, ...imports].map(contentOf);
    for (const compress of [brotliCompressSync, gzipSync]) {
      const bytes = first.reduce((sum, content) => sum + compress(content).length, 0);
      expect(bytes, compress.name).to.be.below(FIRST_LOAD_BYTES_MAX);
    }
    expect(first.some((content) => Buffer.from(content).includes('cm-editor'))).to.equal(true);
  });

  it('leaves charts and the layout of trees to those who ask for them', () => {
    const { script, imports } = bundle.entry;
    for (const name of [script, ...imports]) {
      expect(Buffer.from(contentOf(name)).includes('u-legend'), name).to.equal(false);
    }
    const others = bundle.files.filter(({ name }) => name !== script && !imports.includes(name));
    expect(others.some(({ content }) => Buffer.from(content).includes('u-legend'))).to.equal(true);
  });

  it('comes with the license of each package in it', async () => {
    const text = Buffer.from((await licenseFile(bundle.packages)).content).toString();
    for (const name of ['preact', '@codemirror/view', 'uplot', 'd3-hierarchy', 'lossless-json'])
      expect(text).to.include(`${name} `);
  });

  it('names what is on the disk in its manifest', async () => {
    const folder = join(import.meta.dirname, '../../dist/console');
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      entry: Bundle['entry'];
      files: Record<string, unknown>;
    };
    const names = Object.keys(manifest.files);
    expect(names).to.include.members([
      manifest.entry.script,
      manifest.entry.style,
      ...manifest.entry.imports,
    ]);
    for (const name of names) {
      for (const file of [name, `${name}.br`, `${name}.gz`])
        expect(existsSync(join(folder, file)), file).to.equal(true);
    }
  });
});
