import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { applyEdit } from './apply-edit.ts';
import { HANDLING_CASES } from './cases.ts';
import { FAILURE_MODES } from './modes.ts';

const ROOT = join(import.meta.dirname, '../../../..');

const textOf = (file: string): Promise<string> => readFile(join(ROOT, file), 'utf8');

describe('the table of what handles failures', () => {
  it('has a case for every failure, each under a name of its own', () => {
    const modes = new Set(HANDLING_CASES.map(({ mode }) => mode));
    expect([...modes]).to.have.members([...FAILURE_MODES]);
    expect(new Set(HANDLING_CASES.map(({ name }) => name))).to.have.property('size', HANDLING_CASES.length);
  });

  for (const { name, test, edit } of HANDLING_CASES) {
    it(`can still be checked: ${name}`, async () => {
      const original = await textOf(edit.file);
      const edited = applyEdit(original, edit);
      expect(edited).to.not.equal(original);
      // One that does not parse would fail every test, whatever it is for.
      expect(() => stripTypeScriptTypes(edited)).to.not.throw();
      const titles = [...(await textOf(test.file)).matchAll(/\bit\(\s*(['"`])(.*?)\1/gs)].map(
        ([, , title]) => title,
      );
      expect(titles.filter((title) => title?.includes(test.title))).to.have.length(1);
    });
  }
});
