/** Random statements whose tables look each other up, the same for the same seed. */
import { seededRandom } from '../../dynamodb/random.ts';

/** Conditions on one table, by its alias; some of them leave nothing. */
const CONDITIONS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  accounts: [
    `$.city = 'Bern'`,
    `$.id = 'a5'`,
    `$.id IN ('a1', 'a2', 'a33')`,
    `$.name = 'name 3' AND $.city = 'Oslo'`,
    `$.boss IS NULL`,
    `$.city = 'nowhere'`,
    `$.id LIKE 'a1%'`,
    `$.favorite = '3'`,
  ],
  orders: [
    `$.account = 'a7'`,
    `$.status = 'paid' AND $.n < 30`,
    `$.n BETWEEN 40 AND 48`,
    `$.product = 5`,
    `$.product IS NULL`,
    `$.tag = 4`,
    `$.tag = '4'`,
    `$.n > 1000`,
  ],
  products: [`$.id = 7`, `$.id < 4`, `$.maker = 'm1'`, `$.tag IS NULL`, `$.price > 80`, `$.tag = '1'`],
  tags: [`$.name = 't3'`, `$.name IN ('1', '01', 't5')`, `$.weight = 2`, `$.weight IS NULL`, `$.name > 't6'`],
});

/**
 * Columns that meet, whether or not their types do. Not `orders.tag` with texts: whether a number there equals '01' goes
 * by what else was read.
 */
const MEETINGS: readonly (readonly [string, string])[] = Object.freeze([
  ['orders.account', 'accounts.id'],
  ['accounts.boss', 'accounts.id'],
  ['orders.product', 'products.id'],
  ['accounts.favorite', 'products.id'],
  ['products.tag', 'tags.name'],
  ['products.price', 'orders.n'],
  ['orders.tag', 'products.id'],
  ['tags.weight', 'orders.product'],
  ['accounts.favorite', 'tags.name'],
  ['orders.account', 'accounts.boss'],
]);

interface Named {
  readonly table: string;
  readonly alias: string;
}

const SHOWN: Readonly<Record<string, string>> = Object.freeze({
  accounts: 'id',
  orders: 'n',
  products: 'price',
  tags: 'name',
});

export function lookupQueries(seed: number): () => string {
  const random = seededRandom(seed);
  const int = (below: number): number => random.int(below);
  const pick = <T>(choices: readonly T[]): T => random.pick(choices);
  const maybe = (probability: number): boolean => random.chance(probability);
  let aliases = 0;

  const named = (table: string): Named => ({ table, alias: `t${aliases++}` });
  const from = ({ table, alias }: Named): string => `shop.${table} ${alias}`;
  const shown = ({ table, alias }: Named): string => `${alias}.${SHOWN[table]}`;
  const condition = ({ table, alias }: Named): string =>
    pick(CONDITIONS[table] ?? []).replaceAll('$', () => alias);

  /** A table that meets this one, and the columns by which it does, of this and of that. */
  const partner = (of: Named): { readonly other: Named; readonly mine: string; readonly theirs: string } => {
    const fitting = MEETINGS.flatMap(([a, b]) => [
      [a, b],
      [b, a],
    ]).filter(([a]) => a?.startsWith(`${of.table}.`));
    const [mine = '', theirs = ''] = pick(fitting);
    const [table = '', column = ''] = theirs.split('.');
    const other = named(table);
    return { other, mine: `${of.alias}.${mine.split('.')[1]}`, theirs: `${other.alias}.${column}` };
  };
  const whereOf = (conditions: readonly string[]): string =>
    conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const someConditions = (tables: readonly Named[]): string[] =>
    tables.filter(() => maybe(0.5)).map(condition);

  const joins = (): string => {
    const first = named(pick(Object.keys(SHOWN)));
    const tables = [first];
    let text = from(first);
    for (let i = 0; i <= int(3); i++) {
      const { other, mine, theirs } = partner(pick(tables));
      const kind = pick(['JOIN', 'JOIN', 'JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN']);
      const more = maybe(0.25) ? ` AND ${condition(other)}` : '';
      const on = maybe(0.5) ? `${mine} = ${theirs}` : `${theirs} = ${mine}`;
      text += ` ${kind} ${from(other)} ON ${on}${more}`;
      tables.push(other);
    }
    return `SELECT ${tables.map(shown).join(', ')} FROM ${text}${whereOf(someConditions(tables))}`;
  };

  const subquery = (): string => {
    const outer = named(pick(Object.keys(SHOWN)));
    const { other, mine, theirs } = partner(outer);
    const inner = someConditions([other]);
    const correlated = whereOf([`${theirs} = ${mine}`, ...inner]);
    const predicate = pick([
      () => `${mine} IN (SELECT ${theirs} FROM ${from(other)}${whereOf(inner)})`,
      () => `${mine} NOT IN (SELECT ${theirs} FROM ${from(other)}${whereOf(inner)})`,
      () => `${mine} = ANY (SELECT ${theirs} FROM ${from(other)}${whereOf(inner)})`,
      () => `EXISTS (SELECT 1 FROM ${from(other)}${correlated})`,
      () => `NOT EXISTS (SELECT 1 FROM ${from(other)}${correlated})`,
      () => `(SELECT COUNT(*) FROM ${from(other)}${correlated}) ${pick(['> 1', '= 0'])}`,
      () => `${mine} = (SELECT MAX(${theirs}) FROM ${from(other)}${whereOf(inner)})`,
      () => `(${mine} IN (SELECT ${theirs} FROM ${from(other)}${whereOf(inner)}) OR ${condition(outer)})`,
      () => `EXISTS (SELECT 1 FROM ${from(other)}${correlated} LIMIT 1)`,
    ])();
    const more = someConditions([outer]);
    return `SELECT ${shown(outer)} FROM ${from(outer)}${whereOf([predicate, ...more])}`;
  };

  const scalar = (): string => {
    const outer = named(pick(Object.keys(SHOWN)));
    const { other, mine, theirs } = partner(outer);
    const call = pick(['COUNT(*)', `MAX(${shown(other)})`, `COUNT(DISTINCT ${shown(other)})`]);
    const value = `(SELECT ${call} FROM ${from(other)}${whereOf([`${theirs} = ${mine}`, ...someConditions([other])])})`;
    return `SELECT ${shown(outer)}, ${value} AS x FROM ${from(outer)}${whereOf([condition(outer)])}`;
  };

  const derived = (): string => {
    const outer = named(pick(Object.keys(SHOWN)));
    const { other, mine, theirs } = partner(outer);
    const column = theirs.split('.')[1] ?? '';
    const body = pick([
      () =>
        `SELECT ${theirs} AS k, COUNT(*) AS c FROM ${from(other)}${whereOf(someConditions([other]))} GROUP BY ${theirs}`,
      () => `SELECT DISTINCT ${theirs} AS k, 1 AS c FROM ${from(other)}${whereOf(someConditions([other]))}`,
      () =>
        `SELECT ${theirs} AS k, 1 AS c FROM ${from(other)}${whereOf([condition(other)])} ORDER BY ${shown(other)}, 1 LIMIT 4`,
      () => {
        const again = named(other.table);
        const all = pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT']);
        return (
          `SELECT ${theirs} AS k, 1 AS c FROM ${from(other)}${whereOf([condition(other)])} ${all} ` +
          `SELECT ${again.alias}.${column}, 1 FROM ${from(again)}${whereOf([condition(again)])}`
        );
      },
      () =>
        `SELECT ${theirs} AS k, ROW_NUMBER() OVER (PARTITION BY ${theirs} ORDER BY ${shown(other)}) AS c FROM ${from(other)}`,
    ])();
    const kind = pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN']);
    const where = whereOf(someConditions([outer]));
    if (maybe(0.5))
      return `SELECT ${shown(outer)}, d.k, d.c FROM ${from(outer)} ${kind} (${body}) d ON d.k = ${mine}${where}`;
    return (
      `WITH d AS (${body}) SELECT ${shown(outer)}, d.k, d.c FROM ${from(outer)} ${kind} d ON d.k = ${mine}${where}` +
      (maybe(0.3) ? ` UNION ALL SELECT NULL, k, c FROM d WHERE c > 1` : '')
    );
  };

  const shapes = [joins, joins, subquery, subquery, scalar, derived];
  return () => {
    aliases = 0;
    return pick(shapes)();
  };
}
