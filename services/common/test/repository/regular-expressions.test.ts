import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../../../..');

/** Expressions that stopped, or slowed down, a process that met the wrong text; with the rule that must find each. */
const FOUND: readonly (readonly [rule: string, expression: string])[] = [
  // 80 dashes stopped a query engine for good.
  ['regexp/no-super-linear-backtracking', String.raw`/^(?:\s|--.*|\/\*[^]*?\*\/)*AS\b/i`],
  ['regexp/no-super-linear-backtracking', String.raw`/^(a+)+$/`],
  ['regexp/no-super-linear-backtracking', String.raw`/^\s*[+-]?\s*[.\d]/`],
  ['regexp/no-super-linear-move', String.raw`/0+$/`],
];

describe('the regular expressions of make check', () => {
  it('may take no more than linear time: each of those that did is found', async function () {
    this.timeout(60_000);
    const lint = new ESLint({ cwd: ROOT, overrideConfigFile: join(ROOT, '.eslint.config.js') });
    for (const [rule, expression] of FOUND) {
      const text = `export const found = ${expression};\n`;
      const [result] = await lint.lintText(text, { filePath: join(ROOT, 'gateway/src/planted.js') });
      expect(
        result?.messages.map(({ ruleId }) => ruleId),
        expression,
      ).to.include(rule);
    }
  });
});
