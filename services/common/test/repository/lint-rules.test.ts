import { expect } from 'chai';
import { lint } from './support/lint.ts';

/** Code that stopped, slowed down or misled a process that met the wrong text; with the rule that must find each. */
const FOUND: readonly (readonly [rule: string, code: string])[] = [
  // 80 dashes stopped a query engine for good.
  ['regexp(no-super-linear-backtracking)', String.raw`/^(?:\s|--.*|\/\*[^]*?\*\/)*AS\b/i`],
  ['regexp(no-super-linear-backtracking)', String.raw`/^(a+)+$/`],
  ['regexp(no-super-linear-backtracking)', String.raw`/^\s*[+-]?\s*[.\d]/`],
  ['regexp(no-super-linear-move)', String.raw`/0+$/`],
  // `$` and a back quote in somebody's literal ended its quotes: one tenant's text was run as SQL of all tenants' catalogs.
  ['penstock(constant-replacements)', "'count(x)'.replace(')', ` ${order})`)"],
  ['penstock(constant-replacements)', "'count(x)'.replaceAll(')', order)"],
];

const LEFT_ALONE: readonly string[] = [
  "'count(x)'.replace(')', ' y)')",
  "'count(x)'.replace(')', () => order)",
  'await page.replace(old, order)',
];

const planted = (code: string): string => `export const found = ${code};\n`;

describe('the lint rules of make check', () => {
  it('find expressions that take more than linear time, and text that is put in as a replacement', async () => {
    const codes = [...FOUND.map(([, code]) => code), ...LEFT_ALONE];
    const pathOf = (code: string): string => `gateway/src/planted-${codes.indexOf(code)}.js`;
    const findings = await lint(Object.fromEntries(codes.map((code) => [pathOf(code), planted(code)])));
    const rulesIn = (code: string): readonly string[] =>
      findings.filter(({ filename }) => filename === pathOf(code)).map((finding) => finding.code);
    for (const [rule, code] of FOUND) expect(rulesIn(code), code).to.include(rule);
    for (const code of LEFT_ALONE) expect(rulesIn(code), code).to.deep.equal([]);
  });
});
