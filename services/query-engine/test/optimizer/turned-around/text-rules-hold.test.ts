import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { expect } from 'chai';
import { budgetOf, SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { seededRandom, type Random } from '../../dynamodb/random.ts';
import { saidOfKeys } from './said-of-keys.ts';

const CONDITIONS = budgetOf({ short: 1500, long: 60_000, variable: 'TURNED_CONDITIONS' });
/** Conditions that are looked at in one query. */
const AT_ONCE = 100;

/** Of few characters, so that texts begin alike: delimiters, wildcards, what sorts beside these, and several bytes. */
const CHARACTERS = ['a', 'b', '#', '$', '!', '%', '_', 'é', '😀', '\u{10FFFF}', ' '];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** All texts of up to two characters, and many longer ones. */
function texts(random: Random): readonly string[] {
  const short = CHARACTERS.flatMap((one) => [one, ...CHARACTERS.map((other) => one + other)]);
  const long = Array.from({ length: 600 }, () => textOf(random, 3 + random.int(4)));
  return [...new Set([...short, ...long])];
}

/** Half of its characters are of two alone. */
function textOf(random: Random, length: number): string {
  return Array.from({ length }, () =>
    random.chance(0.5) ? random.pick(['a', '#']) : random.pick(CHARACTERS),
  ).join('');
}

const PATTERNS = ['a', 'b', '#', 'é', '😀', '\\.', '.', '[ab]', '(a|b#)', '(?:a|)', '(a)', '\\$'];
const QUANTIFIERS = ['', '', '', '*', '?', '+', '{0,1}', '{2}'];

function pattern(random: Random): string {
  const part = (): string =>
    random.pick(['^', '^', '^', '']) +
    Array.from({ length: 1 + random.int(3) }, () => random.pick(PATTERNS) + random.pick(QUANTIFIERS)).join(
      '',
    ) +
    random.pick(['', '', '$']);
  return random.chance(0.2) ? `${part()}|${part()}` : part();
}

/** A condition on `sk` that means the same to the engine and to DuckDB. */
function condition(random: Random): string {
  const text = (): string => quoted(textOf(random, random.int(4)));
  const filled = (): string => quoted(textOf(random, 1 + random.int(3)));
  const comparison = (operand: string): string =>
    random.pick([
      () => `${operand} ${random.pick(['=', '=', '<', '<=', '>', '>=', '<>'])} ${text()}`,
      () => `${operand} BETWEEN ${text()} AND ${text()}`,
      () => `${operand} IN (${text()}, ${text()})`,
      () => `${operand} LIKE ${text()} || '%'`.replace("' || '", ''),
    ])();
  const delimiter = quoted(random.pick(['#', 'a', '##', 'é', 'a#']));
  const count = 1 + random.int(4);
  return random.pick([
    () => comparison(`left(sk, ${count})`),
    () => comparison(`substr(sk, 1, ${count})`),
    () => comparison(`substr(sk, ${count}, ${1 + random.int(2)})`),
    () => comparison(`substr(sk, ${count})`),
    () => comparison(`split_part(sk, ${delimiter}, 1)`),
    () => comparison(`split_part(sk, ${delimiter}, ${count})`),
    () => comparison(`rtrim(sk, ${filled()})`),
    () => comparison(`nullif(sk, ${filled()})`),
    () => comparison(`CAST(sk AS VARCHAR)`),
    () => comparison(`(${text()} || sk)`),
    () => comparison(`(sk || ${text()})`),
    () => comparison(`(pk || '#' || sk)`),
    () => comparison(`concat(pk, sk)`),
    () => comparison(`concat(${text()}, sk, ${text()})`),
    () => comparison(`left(split_part(sk, ${delimiter}, 1), ${count})`),
    () => comparison('sk'),
    () => `starts_with(sk, ${text()})`,
    () => `strpos(sk, ${filled()}) = ${1 + random.int(2)}`,
    () => comparison(`regexp_extract(sk, ${quoted(pattern(random))}, ${random.int(2)})`),
    () => `regexp_matches(sk, ${quoted(pattern(random))})`,
  ])();
}

/** Several together, as one may tell what another says of the key. */
function conditions(random: Random): string {
  const one = (): string => (random.chance(0.15) ? `NOT (${condition(random)})` : condition(random));
  const known = (): string => {
    const beginning = textOf(random, 1 + random.int(3));
    return random.pick([
      `pk = 'a'`,
      `sk LIKE ${quoted(`${beginning.replaceAll(/[%_]/g, 'a')}%`)}`,
      `starts_with(sk, ${quoted(beginning)})`,
      `split_part(sk, '#', 1) = ${quoted(beginning.replaceAll('#', 'a'))}`,
      `sk IN (${quoted(beginning)}, ${quoted(textOf(random, 3))})`,
    ]);
  };
  return random.pick([
    () => one(),
    () => `${known()} AND ${one()}`,
    () => `${known()} AND (${one()} OR ${one()})`,
    () => `(${known()} AND ${one()}) OR ${one()}`,
  ])();
}

describe('what conditions on texts imply of a key', () => {
  let connection: DuckDBConnection;
  before(async () => {
    connection = await (await DuckDBInstance.create(':memory:')).connect();
    const values = texts(seededRandom(SEED)).map((text) => `(${quoted(text)})`);
    await connection.run(`CREATE TABLE t AS SELECT 'a' AS pk, col0 AS sk FROM (VALUES ${values.join(', ')})`);
  });
  after(() => connection.closeSync());

  it(`holds of each key that they hold of (${CONDITIONS} conditions, ${SEED_SHOWN})`, async function () {
    this.timeout(600_000);
    const random = seededRandom(SEED + 1);
    let turned = 0;
    for (let done = 0; done < CONDITIONS; done += AT_ONCE) {
      const all = Array.from({ length: AT_ONCE }, () => conditions(random))
        .map((where) => ({ where, implied: saidOfKeys(where) }))
        .filter(({ implied }) => implied !== '');
      turned += all.length;
      const lost = all.map(
        ({ where, implied }) => `count(*) FILTER (WHERE (${where}) AND (${implied}) IS DISTINCT FROM TRUE)`,
      );
      const [counts] = (await connection.runAndReadAll(`SELECT ${lost.join(', ')} FROM t`)).getRows();
      const wrong = all.filter((_, i) => counts?.[i] !== 0n);
      expect(wrong).to.deep.equal([]);
    }
    expect(turned).to.be.above(CONDITIONS / 4);
  });
});
