/** Random SELECTs over the shop's tables, the same for the same seed. */

import { choiceFrom } from './choice.ts';

export interface GeneratedQuery {
  readonly sql: string;
  /** True where the statement settles the order of its rows. */
  readonly ordered: boolean;
}

export function queryGenerator(seed: number): () => GeneratedQuery {
  const { int, pick, maybe } = choiceFrom(seed);

  const number = (o: string, depth = 2): string => {
    if (depth === 0) return pick([`${o}number`, `${o}total`, `${o}quantity`, String(int(50)), '1.25', '-3']);
    const a = (): string => number(o, depth - 1);
    return pick([
      () => number(o, 0),
      () => `(${a()} + ${a()})`,
      () => `(${a()} - ${a()})`,
      () => `(${a()} * ${pick(['2', '0.5', `${o}quantity`])})`,
      () => `(${a()} / ${pick(['4', '3', '-8'])})`,
      () => `(${o}number % ${int(6) + 1})`,
      () => `ABS(${a()})`,
      () => `COALESCE(${o}quantity, ${int(9)})`,
      () => `CASE WHEN ${predicate(o, 0)} THEN ${a()} ELSE ${a()} END`,
      () => `LENGTH(${text(o, 0)})`,
      () => `NULLIF(${o}quantity, ${int(7)})`,
      () => `(${o}number & ${int(16)})`,
      () => `FLOOR(${o}total)`,
      () => `- ${o}quantity`,
    ])();
  };

  const text = (o: string, depth = 1): string => {
    if (depth === 0) return pick([`${o}customer`, `${o}status`, `${o}placed`, `${o}note`, `'paid'`]);
    const a = (): string => text(o, depth - 1);
    return pick([
      () => text(o, 0),
      () => `UPPER(${a()})`,
      () => `(${a()} || '-' || ${a()})`,
      () => `SUBSTRING(${o}placed, 1, ${int(9) + 1})`,
      () => `COALESCE(${o}note, 'none')`,
      () => `CASE ${o}status WHEN 'open' THEN 'o' WHEN 'paid' THEN ${a()} END`,
      () => `REPLACE(${a()}, 'e', 'E')`,
    ])();
  };

  const predicate = (o: string, depth = 2): string => {
    const leaf = [
      () => `${number(o, 0)} ${pick(['=', '<>', '<', '<=', '>', '>='])} ${int(40)}`,
      () => `${o}customer = 'c${int(5)}'`,
      () => `${o}customer IN ('c0', 'c${int(6)}')`,
      () => `${o}number BETWEEN ${int(20)} AND ${20 + int(40)}`,
      () => `(${o}customer = 'c${int(4)}' AND ${o}number ${pick(['<', '>=', '='])} ${int(60)})`,
      () => `${o}status ${pick(['=', '<>'])} '${pick(['open', 'paid', 'lost'])}'`,
      () => `${pick([`${o}note`, `${o}quantity`, `${o}customer`])} IS ${pick(['', 'NOT '])}NULL`,
      () => `${o}placed ${pick(['', 'NOT '])}LIKE '${pick(['2024-03%', '%15T%', '2024-0_-1%', 'x'])}'`,
      () => `${o}quantity ${pick(['', 'NOT '])}IN (1, 3, ${int(8)})`,
      () => `${o}total IS DISTINCT FROM ${int(20)}`,
    ];
    if (depth === 0) return pick(leaf)();
    const p = (): string => predicate(o, depth - 1);
    return pick([
      ...leaf,
      () => `(${p()} AND ${p()})`,
      () => `(${p()} OR ${p()})`,
      () => `NOT (${p()})`,
      () => `${number(o, 1)} ${pick(['<', '>'])} ${number(o, 1)}`,
      () =>
        `EXISTS (SELECT 1 FROM shop.customers x WHERE x.id = ${o === '' ? 'orders.customer' : `${o}customer`} AND x.city = 'Bern')`,
      () =>
        `${o}customer IN (SELECT id FROM shop.customers WHERE ${pick(['vip', `city = 'Oslo'`, 'city IS NULL'])})`,
    ])();
  };

  const where = (o: string): string => (maybe(0.75) ? ` WHERE ${predicate(o)}` : '');
  const aggregate = (o: string): string =>
    pick([
      () => 'COUNT(*)',
      () => `COUNT(${pick([`${o}quantity`, `${o}note`, `DISTINCT ${o}status`])})`,
      () => `SUM(${number(o, 1)})`,
      () => `AVG(${number(o, 0)})`,
      () => `MIN(${pick([number(o, 1), text(o, 0)])})`,
      () => `MAX(${pick([number(o, 1), text(o, 0)])})`,
      () => `STDDEV(${o}number)`,
      () => `SUM(DISTINCT ${o}quantity)`,
    ])();

  const shapes: readonly (() => GeneratedQuery)[] = [
    () => ({
      sql: `SELECT ${text('')} AS a, ${number('')} AS b FROM shop.orders${where('')}`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT customer, number, ${number('')} AS x FROM shop.orders${where('')} ORDER BY ${pick(['number', 'number DESC', 'total, number'])} LIMIT ${int(15)} OFFSET ${int(4)}`,
      ordered: true,
    }),
    () => {
      const key = text('', 1);
      const having = maybe(0.4) ? ` HAVING COUNT(*) > ${int(6)}` : '';
      return {
        sql: `SELECT ${key} AS k, ${aggregate('')} AS a, ${aggregate('')} AS b FROM shop.orders${where('')} GROUP BY ${key}${having}`,
        ordered: false,
      };
    },
    () => ({
      sql: `SELECT customer, status, ${aggregate('')} AS a FROM shop.orders${where('')} GROUP BY ${pick(['()', 'customer, GROUPING SETS (status, ())', 'GROUPING SETS (customer, ROLLUP (status, customer))', 'GROUPING SETS ((), CUBE (customer, status))'])}`.replace(
        /SELECT customer, status,(?=.* GROUP BY \(\))/,
        'SELECT',
      ),
      ordered: false,
    }),
    () => ({
      sql: `SELECT j.name, ${number('j.', 1)} AS x FROM (shop.customers c JOIN shop.orders o ON o.customer = c.id) AS j${where('j.')}`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT g.n, ${aggregate('o.')} AS a FROM generate_series(${int(5)}, ${int(60)}, ${1 + int(4)}) AS g(n) ${pick(['JOIN', 'LEFT JOIN', 'FULL JOIN'])} shop.orders o ON o.number = g.n${where('o.')} GROUP BY g.n`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT o.customer, u.x FROM shop.orders o CROSS JOIN unnest(ARRAY[o.number, ${number('o.', 1)}]) AS u(x)${where('o.')}`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT p.customer, u.x FROM (SELECT customer, ARRAY_AGG(number) AS l FROM shop.orders${where('')} GROUP BY customer) p ${pick(['CROSS JOIN unnest(p.l) AS u(x)', 'LEFT JOIN unnest(p.l) AS u(x) ON TRUE'])}${pick(['', ' WHERE u.x > 9', " WHERE p.customer > 'c1'"])}`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT ${aggregate('')} AS a, ${aggregate('')} AS b FROM shop.orders${where('')}`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT c.name, ${number('o.', 1)} AS x FROM shop.customers c ${pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'])} shop.orders o ON o.customer = c.id${maybe(0.5) ? ` AND ${predicate('o.', 0)}` : ''}${where('o.')}`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT c.city, ${aggregate('o.')} AS a FROM shop.orders o JOIN shop.customers c ON c.id = o.customer${where('o.')} GROUP BY c.city`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT customer, quantity FROM shop.orders${where('')} ${pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT'])} SELECT customer, ${pick(['quantity', 'number', 'total'])} FROM shop.orders${where('')}`,
      ordered: false,
    }),
    () => ({
      sql: `WITH part AS (SELECT customer, number, total FROM shop.orders${where('')}) SELECT s.customer, COUNT(*) AS n, SUM(s.total) AS t FROM part s JOIN part u ON u.number = s.number GROUP BY s.customer`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT c.id, (SELECT ${aggregate('o.')} FROM shop.orders o WHERE o.customer = c.id) AS x FROM shop.customers c`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT DISTINCT ${text('', 1)} AS a, number % 3 AS b FROM shop.orders${where('')}`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT number, ${pick(['RANK()', 'ROW_NUMBER()', 'SUM(total)', 'LAG(number)'])} OVER (PARTITION BY customer ORDER BY number) AS w FROM shop.orders${where('')}`,
      ordered: false,
    }),
    () => ({
      sql: `SELECT x.k, x.n FROM (SELECT status AS k, COUNT(*) AS n FROM shop.orders${where('')} GROUP BY status) x WHERE x.n > ${int(10)} ORDER BY x.k`,
      ordered: true,
    }),
  ];
  return () => pick(shapes)();
}
