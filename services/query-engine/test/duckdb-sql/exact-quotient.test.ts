/** Quotients, means and variances of exact numbers, on DuckDB, beside whole-number arithmetic that never rounds. */
import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { writeAggregateCall } from '../../src/duckdb-sql/aggregate.ts';
import { writeArithmetic } from '../../src/duckdb-sql/arithmetic.ts';
import { numberLiteral } from '../../src/duckdb-sql/literal.ts';
import { toText } from '../../src/duckdb-sql/types/convert.ts';
import {
  DOUBLE,
  duckdbType,
  exactNumber,
  typeLabel,
  type SqlType,
  type Typed,
} from '../../src/duckdb-sql/types/sql-type.ts';
import { WIDEST } from '../../src/duckdb-sql/text-budget.ts';
import type { Database } from '../../src/execution/session/database.ts';
import { openSession, type Session } from '../../src/execution/session/session.ts';
import { integerDigitsOf, parseNumber, type ExactNumber } from '../../src/logical/exact-number.ts';
import type { AggregateCall } from '../../src/logical/expression.ts';
import { testDatabase } from '../execution/tables.ts';

function number(text: string): ExactNumber {
  const parsed = parseNumber(text);
  if (parsed === null) throw new Error(`${text} is no number`);
  return parsed;
}

/** The quotient with so many digits after the point, rounded half away from zero, without idle zeros. */
function quotient(a: ExactNumber, b: ExactNumber, scale: number): string {
  const over = a.digits * 10n ** BigInt(scale + b.scale) * 2n;
  const under = b.digits * 10n ** BigInt(a.scale);
  const negative = over < 0n !== under < 0n;
  const [x, y] = [over < 0n ? -over : over, under < 0n ? -under : under];
  const units = String((x + y) / (2n * y)).padStart(scale + 1, '0');
  const text = `${units.slice(0, -scale)}.${units.slice(-scale)}`.replace(/\.?0+$/, '');
  return negative && text !== '0' ? `-${text}` : text;
}

const randomNumber = (digits: number): string => {
  const whole = Array.from({ length: randomInt(1, digits + 1) }, () => randomInt(10)).join('');
  const places = randomInt(0, 4);
  const fraction = Array.from({ length: places }, () => randomInt(10)).join('');
  return `${randomInt(2) === 0 ? '-' : ''}${whole}${places === 0 ? '' : `.${fraction}`}`;
};

/** An aggregate of the column c1, which is of the type. */
function called(name: string, type: SqlType, distinct = false): Typed {
  const call: AggregateCall = {
    ...{ name, distinct, orderBy: [], filter: null, withinGroup: [] },
    arguments: [{ kind: 'ColumnReference', column: { id: 1, name: 'x' } }],
  };
  return writeAggregateCall(call, {
    typeOf: () => type,
    subquery: () => {
      throw new Error('no subqueries here');
    },
    textBudget: WIDEST,
    freshAlias: () => 't1',
  });
}

describe('an exact quotient', () => {
  let database: Database;
  let session: Session;
  before(async () => {
    database = testDatabase();
    session = await openSession(database, { signal: new AbortController().signal, columnNames: new Map() });
  });
  after(async () => {
    session.close();
    await database.close();
  });

  async function textOf(value: Typed, from = ''): Promise<unknown> {
    let text: unknown = undefined;
    for await (const chunk of session.stream(`SELECT ${toText(value).sql} ${from}`))
      text = chunk.getColumnVector(0).getItem(0);
    return text;
  }

  const divided = (a: string, b: string): Typed =>
    writeArithmetic('/', numberLiteral(number(a)), numberLiteral(number(b)));

  const scaleOf = ({ type }: Typed): number => (type.kind === 'decimal' ? type.scale : -1);

  for (const [a, b, expected] of [
    ['9223372036854775807.12', '3', '3074457345618258602.3733333333333333'],
    ['1000000000000000002', '3', '333333333333333334'],
    ['-2', '3', '-0.66666666666666667'],
    ['5', '2', '2.5'],
    ['1', '0', null],
    ['1', '1000000', '0.000001'],
    ['1', '3000000', '0.00000033333333333333333'],
    ['0.12345678901234567890123456789', '0.5', '0.24691357802469135780246913578'],
  ] as const)
    it(`is exact: ${a} / ${b}`, async () => expect(await textOf(divided(a, b))).to.equal(expected));

  it('is rounded at its last digit alone, whatever the numbers', async () => {
    for (let i = 0; i < 200; i++) {
      const [a, b] = [randomNumber(18), randomNumber(15)];
      if (number(b).digits === 0n) continue;
      const value = divided(a, b);
      const scale = scaleOf(value);
      if (scale < 0) continue;
      expect(scale).to.be.at.least(16);
      expect(await textOf(value), `${a} / ${b}`).to.equal(quotient(number(a), number(b), scale));
    }
  });

  it('goes on as DOUBLE where 38 digits are not enough, and after many quotients of quotients', () => {
    expect(divided(`1${'0'.repeat(22)}`, '3').type).to.equal(DOUBLE);
    let value = divided('1', '3');
    for (let i = 0; i < 9; i++) value = writeArithmetic('/', value, numberLiteral(number('3')));
    expect(value.type).to.equal(DOUBLE);
  });

  const aggregate = (name: string, values: readonly string[], distinct = false): [Typed, string] => {
    const numbers = values.map(number);
    const type = exactNumber(
      Math.max(...numbers.map(integerDigitsOf)),
      Math.max(...numbers.map(({ scale }) => scale)),
    );
    const rows = values.map((value) => `(CAST('${value}' AS ${duckdbType(type)}))`).join(', ');
    return [called(name, type, distinct), `FROM (VALUES ${rows}, (NULL)) t(c1)`];
  };

  const BIG = ['1000000000000000002', '1000000000000000004'];
  for (const [name, values, expected] of [
    ['AVG', ['9223372036854775807.12', '9223372036854775807.24'], '9223372036854775807.18'],
    ['AVG', BIG, '1000000000000000003'],
    ['AVG', ['-1', '-1', '-2'], '-1.333333333333333333333333'],
    ['STDDEV', BIG, '1.4142135623730951'],
    ['STDDEV_POP', BIG, '1'],
    ['VARIANCE', ['1', '2', '1', '10'], '19'],
    ['VARIANCE', ['-12345678901234567.89', '-12345678901234567.88', '-12345678901234567.87'], '0.0001'],
    ['VAR_POP', ['9999999999999999999', '-9999999999999999999'], '1e+38'],
    ['VAR_SAMP', ['7'], null],
    ['VAR_POP', ['7'], '0'],
    ['STDDEV', ['0.1', '0.1', '0.1'], '0'],
  ] as const)
    it(`is what ${name} of ${values.join(', ')} is made by`, async () => {
      const [value, from] = aggregate(name, values);
      expect(await textOf(value, from)).to.equal(expected);
    });

  it('is what AVG and VARIANCE of any numbers are made by', async () => {
    for (let i = 0; i < 40; i++) {
      const values = Array.from({ length: randomInt(2, 6) }, () => randomNumber(13));
      const scale = Math.max(...values.map((value) => number(value).scale));
      const units = values.map((value) => number(value).digits * 10n ** BigInt(scale - number(value).scale));
      const sum = units.reduce((a, b) => a + b);
      const count = BigInt(units.length);
      const [mean, from] = aggregate('AVG', values);
      expect(await textOf(mean, from), values.join(', ')).to.equal(
        quotient({ digits: sum, scale }, { digits: count, scale: 0 }, scaleOf(mean)),
      );
      const squares = units.reduce((made, one) => made + (one * count - sum) ** 2n, 0n);
      const exact = Number(squares) / Number(count ** 2n * (count - 1n)) / 10 ** (2 * scale);
      const made = Number(await textOf(...aggregate('VARIANCE', values)));
      expect(Math.abs(made - exact), values.join(', ')).to.be.at.most(exact * 1e-15);
    }
  });

  it('is none of DISTINCT values, of which two may have one square', async () => {
    expect(await textOf(...aggregate('VAR_POP', ['-1', '1', '1'], true))).to.equal('1');
  });

  it('leaves sums room, or they go on as DOUBLE', async () => {
    const values = ['9999999999999999999', '9999999999999999999'];
    const [mean] = aggregate('AVG', values);
    expect(typeLabel(mean.type)).to.equal('DECIMAL(35,16)');
    const rows = `FROM (SELECT 9999999999999999999::DECIMAL(35,16) AS c1 FROM range(1000000))`;
    const sum = Number(await textOf(called('SUM', mean.type), rows));
    expect(sum).to.be.closeTo(1e25, 1e12);
  });
});
