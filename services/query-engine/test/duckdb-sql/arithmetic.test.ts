import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { expect } from 'chai';
import type { ArithmeticOperator } from '../../src/logical/expression.ts';
import { DOUBLE, duckdbType, integer, type Typed } from '../../src/duckdb-sql/types/sql-type.ts';
import { writeArithmetic } from '../../src/duckdb-sql/arithmetic.ts';

/** Steps of the longest chain that the parser lets pass, or nearly. */
const STEPS = 650;

function decimal(text: string, width = 18): Typed {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const type = { kind: 'decimal', width, scale: fraction.length, integerDigits: whole.length } as const;
  return { sql: `CAST('${text}' AS ${duckdbType(type)})`, type };
}

const whole = (text: string): Typed => ({ sql: `${text}::BIGINT`, type: integer(text.length) });

function chain(operator: ArithmeticOperator, first: Typed, next: Typed, steps: number): Typed {
  let value = first;
  for (let i = 0; i < steps; i++) value = writeArithmetic(operator, value, next);
  return value;
}

/** How many parentheses are open at most at a time: what DuckDB's limit on an expression's depth counts by. */
function depthOf({ sql }: Typed): number {
  let [depth, deepest] = [0, 0];
  for (const character of sql) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

describe('arithmetic', () => {
  let connection: DuckDBConnection;
  before(async () => {
    connection = await (await DuckDBInstance.create(':memory:')).connect();
  });
  after(() => connection.closeSync());

  const valueOf = async ({ sql, type }: Typed): Promise<unknown> => {
    const [row] = (await connection.runAndReadAll(`SELECT ${sql} AS v, typeof(${sql}) AS t`)).getRowsJson();
    expect(row?.[1], sql).to.equal(duckdbType(type));
    return row?.[0];
  };

  const EXACT: readonly (readonly [Typed, ArithmeticOperator, Typed, string])[] = [
    [decimal('99999999.99'), '*', decimal('99999999.99'), '9999999998000000.0001'],
    [
      decimal('1234567890123456.78'),
      '*',
      decimal('1234567890123456.78'),
      '1524157875323883652796829976527.9684',
    ],
    [decimal('1234567890123456.78'), '*', whole('25'), '30864197253086419.50'],
    [decimal('0.5'), '*', decimal('0.5'), '0.25'],
    [decimal('9999999999999999.99'), '+', decimal('9999999999999999.99'), '19999999999999999.98'],
    [decimal('-9999999999999999.99'), '-', decimal('9999999999999999.99'), '-19999999999999999.98'],
    [decimal('9.9', 2), '+', decimal('0.12345', 6), '10.02345'],
    [decimal('10.5'), '%', decimal('3.0'), '1.5'],
    [decimal('99999999999999999999.99', 38), '+', whole('1'), '100000000000000000000.99'],
    [whole('999999999999999999'), '*', whole('999999999999999999'), '999999999999999998000000000000000001'],
  ];
  for (const [left, operator, right, expected] of EXACT) {
    it(`is exact: ${left.sql} ${operator} ${right.sql}`, async () => {
      expect(await valueOf(writeArithmetic(operator, left, right))).to.equal(expected);
    });
  }

  it('goes on as DOUBLE where 38 digits are not enough', () => {
    const wide = decimal('12345678901234567890.5', 38);
    expect(writeArithmetic('*', wide, wide).type).to.equal(DOUBLE);
  });

  it('nests a long chain no deeper than its steps', async () => {
    const chains = (['+', '-', '%'] as const).flatMap((operator) => [
      chain(operator, decimal('1.5'), decimal('1.5'), STEPS),
      chain(operator, whole('1'), decimal('1.5'), STEPS),
      chain(operator, whole('1'), whole('1'), STEPS),
      chain(operator, { sql: '1::DOUBLE', type: DOUBLE }, whole('1'), STEPS),
    ]);
    const more = (['*', '/', '|', '<<'] as const).map((operator) =>
      chain(operator, whole('1'), whole('1'), STEPS),
    );
    for (const value of [...chains, ...more]) {
      expect(depthOf(value), value.sql.slice(0, 200)).to.be.below(STEPS + 100);
    }
    expect(await valueOf(chain('+', decimal('1.5'), decimal('1.5'), 20))).to.equal('31.5');
  });
});
