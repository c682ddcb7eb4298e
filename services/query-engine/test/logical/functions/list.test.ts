import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDBConnection } from '@duckdb/node-api';
import { expect } from 'chai';
import type { FunctionDefinition } from '../../../src/logical/functions/definition.ts';
import { FUNCTIONS, findFunction, functionsNear } from '../../../src/logical/functions/list.ts';

function render(definition: FunctionDefinition): string {
  const args = definition.example.arguments;
  const template = definition.duckdb;
  const plain = /^\w+$/.test(template);
  const plainCall = plain
    ? `${template}(${args.join(', ')})`
    : template.replace(/\$(\d)/g, (_, n: string) => `(${args[Number(n) - 1]})`);
  let call = plainCall;
  if (definition.name.startsWith('PERCENTILE_')) call += ' WITHIN GROUP (ORDER BY x)';
  if (definition.kind === 'window') call += ' OVER (ORDER BY x)';
  return definition.wrap === null ? call : definition.wrap.replace('$1', call);
}

/** Numbers may differ in their last digits: DuckDB's sums are in floating point. */
function expectValue(given: string, expected: string): void {
  const number = Number(expected);
  if (expected === '' || Number.isNaN(number)) expect(given).to.equal(expected);
  else expect(Number(given)).to.be.closeTo(number, 1e-9);
}

describe('the function list', () => {
  let connection: DuckDBConnection;
  before(async () => {
    connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run("SET TimeZone = 'UTC'");
  });
  after(() => connection.closeSync());

  for (const definition of FUNCTIONS) {
    it(`gives what the example of ${definition.name} says`, async () => {
      const rows = await connection.runAndReadAll(
        `SELECT CAST(${render(definition)} AS VARCHAR) FROM (VALUES (1), (2), (3), (4)) t(x)` +
          (definition.kind === 'scalar' ? ' LIMIT 1' : ''),
      );
      const given = rows.getRowsJson().map(([value]) => (typeof value === 'string' ? value : 'NULL'));
      if (definition.example.value === null) expect(given).to.have.length(1);
      else expectValue(given.join(' '), definition.example.value);
    });
  }

  it('has every name once', () => {
    const names = FUNCTIONS.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(names).to.have.length(new Set(names).size);
  });

  it('has example arguments that fit its own bounds', () => {
    for (const { name, min, max, example } of FUNCTIONS) {
      expect(example.arguments.length, name).to.be.within(min, max ?? Infinity);
    }
  });

  it('finds a function by its alias', () => {
    expect(findFunction('POW')?.name).to.equal('POWER');
  });

  it('holds nothing whose value would change from page to page, or that reaches outside', () => {
    for (const name of [
      'RANDOM',
      'UUID',
      'GEN_RANDOM_UUID',
      'READ_CSV',
      'GETENV',
      'CURRENT_SETTING',
      'SLEEP_MS',
    ]) {
      expect(findFunction(name), name).to.equal(undefined);
    }
  });

  it('suggests names that look alike', () => {
    expect(functionsNear('UPER')[0]).to.equal('UPPER');
    expect(functionsNear('XQZWV')).to.deep.equal([]);
  });
});
