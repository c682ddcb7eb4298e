import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../../../..');

/** Code that stopped, slowed down or misled a process that met the wrong text; with the rule that must find each. */
const FOUND: readonly (readonly [rule: string, code: string])[] = [
  // 80 dashes stopped a query engine for good.
  ['regexp/no-super-linear-backtracking', String.raw`/^(?:\s|--.*|\/\*[^]*?\*\/)*AS\b/i`],
  ['regexp/no-super-linear-backtracking', String.raw`/^(a+)+$/`],
  ['regexp/no-super-linear-backtracking', String.raw`/^\s*[+-]?\s*[.\d]/`],
  ['regexp/no-super-linear-move', String.raw`/0+$/`],
  // `$` and a back quote in somebody's literal ended its quotes: one tenant's text was run as SQL of all tenants' catalogs.
  ['no-restricted-syntax', "'count(x)'.replace(')', ` ${order})`)"],
  ['no-restricted-syntax', "'count(x)'.replaceAll(')', order)"],
];

describe('the lint rules of make check', () => {
  it('find expressions that take more than linear time, and text that is put in as a replacement', async function () {
    this.timeout(60_000);
    const lint = new ESLint({ cwd: ROOT, overrideConfigFile: join(ROOT, '.eslint.config.js') });
    for (const [rule, code] of FOUND) {
      const text = `export const found = ${code};\n`;
      const [result] = await lint.lintText(text, { filePath: join(ROOT, 'gateway/src/planted.js') });
      expect(
        result?.messages.map(({ ruleId }) => ruleId),
        code,
      ).to.include(rule);
    }
  });
});
