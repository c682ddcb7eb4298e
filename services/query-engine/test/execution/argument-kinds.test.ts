/**
 * Every function of the list with a list, a map, sets, bytes, a truth value, text and values of several kinds in the place of
 * each argument: what it gives, a warning that counts what it has no use for, or a refusal by name. Never NULL in silence.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { expect } from 'chai';
import { bind } from '../../src/binder/bind.ts';
import { parseParameters } from '../../src/binder/parameters.ts';
import type { Database } from '../../src/execution/session/database.ts';
import type { FunctionDefinition } from '../../src/logical/functions/definition.ts';
import { FUNCTIONS } from '../../src/logical/functions/list.ts';
import { parse } from '../../src/parser/parse.ts';
import type { TestCell } from './batches.ts';
import { runPlan, testDatabase, testTable } from './tables.ts';

/** By attribute, the values of two items. */
const KINDS: Readonly<Record<string, readonly [TestCell, TestCell]>> = {
  list: [{ json: '["a",2]' }, { json: '[]' }],
  map: [{ json: '{"city":"Graz","zip":8010}' }, { json: '{}' }],
  bytes: [{ b: 'AQID' }, { b: 'AA==' }],
  flag: [true, false],
  several: ['x', { json: '[1]' }],
  words: ['abc', 'x'],
};
const NAMES = Object.keys(KINDS);

const TABLE = testTable(
  'kinds',
  ['id', ...NAMES],
  [
    ['i0', ...NAMES.map((name) => KINDS[name]?.[0])],
    ['i1', ...NAMES.map((name) => KINDS[name]?.[1])],
  ],
);

/** The function's example, with an attribute in the place of an argument. */
function callOf(definition: FunctionDefinition, place: number, attribute: string): string {
  const { name, kind, example, written } = definition;
  const args = example.arguments.map((argument, i) =>
    i === place ? attribute : argument.replaceAll(/\bx\b/g, '1'),
  );
  const isOrdered = kind !== 'scalar' && definition.withinGroup === 'required';
  const call = `${name}(${args.join(written === 'in' ? ' IN ' : ', ')})`;
  if (isOrdered) return `${name}(0.5) WITHIN GROUP (ORDER BY ${attribute})`;
  return kind === 'window' ? `${call} OVER (ORDER BY id)` : call;
}

/** Calls that give NULL for good reason, whatever their arguments: there is nothing at the path, or too little to reckon with. */
const NULL_BY_RIGHT: readonly RegExp[] = [
  /^JSON_EXTRACT(_STRING)?\((list|map|several), /,
  /^JSON_EXTRACT(_STRING)?\('\{.*', (several|words)\)$/,
  /^ELEMENT_AT\((list|map|several), -1\)$/,
  /^ELEMENT_AT\('\[1,2,3\]', (several|words)\)$/,
  /^(JSON_GET|JSON_EXTRACT_PATH|JSON_EXTRACT_PATH_TEXT)\((list|map), /,
  /^(JSON_GET|JSON_EXTRACT_PATH|JSON_EXTRACT_PATH_TEXT)\('\{.*', (several|words)(, '?1'?)?\)$/,
  /^REGEXP_MATCH\(/,
  // What is not in a list has no place there.
  /^ARRAY_POSITION\((list, 8|'\[7,8,9\]', \w+)\)$/,
  // Of one value only, or of one that is always the same.
  /^(CORR|REGR_SLOPE|REGR_INTERCEPT|REGR_R2|SKEWNESS|KURTOSIS)\(/,
  // Of one row before the first, or a row 0.
  /^(LAG\(|NTH_VALUE\(1, flag\))/,
  // FALSE is 0, and TRUE is 1.
  /^(MOD|DIV)\(-7, flag\)$/,
  /^NULLIF\(.*flag.*\)$/,
];

describe('arguments of all kinds', function () {
  this.timeout(60_000);
  let database: Database;
  before(() => {
    database = testDatabase();
  });
  after(() => database.close());

  async function run(
    sql: string,
  ): Promise<{ readonly values: unknown[]; readonly warnings: readonly string[] }> {
    const statement = bind(parse(sql), { sql, parameters: parseParameters(''), tables: () => TABLE.catalog });
    const { json, warnings } = await runPlan(database, [TABLE], statement.plan);
    return { values: (JSON.parse(json) as unknown[][]).map(([value]) => value), warnings };
  }

  /** What a call says nothing about, though it should; null where nothing is wrong. */
  async function silence(call: string, attribute: string): Promise<string | null> {
    try {
      const { values, warnings } = await run(`SELECT ${call} FROM kinds`);
      if (!values.includes(null) || NULL_BY_RIGHT.some((calls) => calls.test(call))) return null;
      const isSaid = warnings.some((warning) => warning.includes(` of ${attribute} `));
      return isSaid ? null : `${call} is ${JSON.stringify(values)}`;
    } catch (error) {
      if (error instanceof PenstockError && error.message.length > 0) return null;
      throw error;
    }
  }

  for (const family of new Set(FUNCTIONS.map((definition) => definition.family)))
    it(`are said to be of no use to ${family} functions that give NULL for them`, async () => {
      const silent: string[] = [];
      for (const definition of FUNCTIONS) {
        if (definition.family !== family || definition.max === 0 || definition.written === 'bare') continue;
        for (const place of definition.example.arguments.keys())
          for (const attribute of NAMES) {
            const said = await silence(callOf(definition, place, attribute), attribute);
            if (said !== null) silent.push(said);
          }
      }
      expect(silent).to.deep.equal([]);
    });
});
