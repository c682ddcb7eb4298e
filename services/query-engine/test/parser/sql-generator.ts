/** A source of pseudo-random numbers from 0 up to 1 that repeats for a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const INFIX = [
  ...[
    '+',
    '-',
    '*',
    '/',
    '//',
    '%',
    '~',
    '!~',
    '~*',
    '!~*',
    '^@',
    '->',
    '->>',
    '#>',
    '#>>',
    '@>',
    '<@',
    '&&',
    '?',
    '?|',
    '?&',
    'OPERATOR(pg_catalog.=)',
    'OPERATOR(pg_catalog.->>)',
    'OPERATOR(~~)',
    '||',
    '&',
    '|',
    '^',
    '<<',
    '>>',
    '=',
    '<>',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
  ],
  ...['AND', 'OR', 'AND', 'OR', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM', 'LIKE', 'NOT LIKE', 'ILIKE'],
  ...['SIMILAR TO', 'NOT SIMILAR TO'],
];
const PREFIX = ['NOT ', '-', '- ', '~', '+'];
const SUFFIX = [
  ...[' IS NULL', ' IS NOT NULL', ' IS TRUE', ' IS NOT UNKNOWN', '::INT', '::DECIMAL(10, 2)'],
  ...[' IN (1, a)', ' NOT IN (a + b)', ' IN (SELECT a)'],
  ...[' = ANY (ARRAY[a, 1])', ' <> ALL (b)', '[a + 1]', '[-1]', '[1:a]', '[: 2]', '[a + 1 :]'],
];
const ATOMS = [
  ...['a', 'b', 't.c', '"D"', '1', '2.50', "'x'", 'NULL', 'TRUE', 'a.b[0].c', ':p', '"a b"."c"', "a['k']"],
  ...[
    '12345678901234567890123',
    "DATE '2024-01-01'",
    "INTERVAL '1' DAY",
    'CURRENT_DATE',
    "'it''s \\'",
    '.5',
    '1e9',
  ],
];

/** Writes random SQL: operators in any order without regard to precedence, so much of it is refused on both sides. */
export class SqlGenerator {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  query(depth: number): string {
    const select = this.#select(depth);
    const setOperator = this.#pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT', 'EXCEPT ALL']);
    const body = this.#chance(0.15) ? `${select} ${setOperator} ${this.#operand(depth)}` : select;
    const withList = this.#chance(0.1) ? `WITH z (y) AS (${this.#select(depth - 1)}) ` : '';
    const order = this.#chance(0.3)
      ? ` ORDER BY ${this.expression(1)}${this.#pick(['', ' DESC', ' NULLS LAST'])}`
      : '';
    const limit = this.#pick([
      '',
      '',
      ' LIMIT 3',
      ' LIMIT 3 OFFSET 2',
      ' OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY',
    ]);
    return withList + body + order + limit;
  }

  expression(depth: number): string {
    const count = 1 + Math.floor(this.#random() * 4);
    let text = '';
    for (let operand = 0; operand < count; operand++) {
      if (operand > 0) text += this.#connection(depth);
      while (this.#chance(0.2)) text += this.#pick(PREFIX);
      text += this.#primary(depth);
      while (this.#chance(0.15)) text += this.#pick(SUFFIX);
    }
    // Two signs that touch start a comment.
    return text.replaceAll('--', '- -');
  }

  #select(depth: number): string {
    const from = this.#pick(['', ' FROM t', ` FROM ${this.#from(depth)}`]);
    const where = this.#chance(0.5) ? ` WHERE ${this.expression(depth - 1)}` : '';
    const group = this.#chance(0.2)
      ? ` GROUP BY ${this.#pick(['a', 'ROLLUP (a, b)', '()', 'GROUPING SETS ((a, b), CUBE ((a), b), (), a + 1), c', this.expression(0)])}`
      : '';
    const having = this.#chance(0.1) ? ` HAVING ${this.expression(0)}` : '';
    const item = this.#chance(0.1)
      ? this.#pick(['*', 't.* EXCLUDE (a, b)', '* REPLACE (a + 1 AS a) RENAME b AS c'])
      : `${this.expression(depth)}${this.#pick(['', ' AS x', ' x'])}`;
    const select = `SELECT ${this.#pick(['', '', 'DISTINCT '])}${item}`;
    const isFirst = from !== '' && this.#chance(0.1);
    return `${isFirst ? `${from.slice(1)} ${select}` : `${select}${from}`}${where}${group}${having}`;
  }

  #operand(depth: number): string {
    return this.#chance(0.5) ? this.#select(depth - 1) : `(${this.#select(depth - 1)} LIMIT 1)`;
  }

  #from(depth: number): string {
    const item = (): string =>
      this.#chance(0.3) && depth > 0
        ? `(${this.#select(depth - 1)}) AS d${this.#pick(['', ' (c1)'])}`
        : this.#pick([
            't',
            's.t x',
            '"T 1" AS y (p, q)',
            '(u JOIN v USING (k))',
            '(u JOIN v USING (k)) AS j (p)',
            '((u NATURAL JOIN v)) j',
            'my-table',
            's.t.i',
            's.t.by-x k',
            's.my-table."by-x"',
            'generate_series(1, 10, 2) AS g (n)',
            'unnest(ARRAY[a, b]) WITH ORDINALITY AS u (x, i)',
            'LATERAL unnest(t.tags) tag',
          ]);
    let text = item();
    while (this.#chance(0.5)) {
      const condition = `ON ${this.expression(0)}`;
      text += this.#pick([
        `, ${item()}`,
        ` CROSS JOIN ${item()}`,
        ` NATURAL JOIN ${item()}`,
        ` SEMI JOIN ${item()} ${condition}`,
        ` JOIN ${item()} ${condition}`,
        ` LEFT JOIN ${item()} ${condition}`,
        ` FULL OUTER JOIN ${item()} USING (k, l)`,
      ]);
    }
    return text;
  }

  #connection(depth: number): string {
    const choice = this.#random();
    if (choice < 0.08) return ` BETWEEN ${this.#primary(depth)} AND `;
    if (choice < 0.12) return ` NOT BETWEEN ${this.#primary(depth)} + ${this.#primary(depth)} AND `;
    if (choice < 0.15) return ` LIKE ${this.#primary(depth)} ESCAPE `;
    if (choice < 0.18)
      return ` = ANY (SELECT ${this.expression(depth - 1)}) ${this.#pick(['AND', 'OR', '=', '+'])} `;
    return ` ${this.#pick(INFIX)} `;
  }

  #primary(depth: number): string {
    if (depth <= 0 || this.#chance(0.5)) return this.#pick(ATOMS);
    const inner = (): string => this.expression(depth - 1);
    return this.#pick<() => string>([
      () => `(${inner()})`,
      () => `(${inner()})`,
      () => `COALESCE(${inner()}, ${inner()})`,
      () => `CASE WHEN ${inner()} THEN ${inner()} ELSE ${inner()} END`,
      () => `CASE ${inner()} WHEN ${inner()} THEN ${inner()} END`,
      () => `CAST(${inner()} AS VARCHAR)`,
      () => `(SELECT ${inner()})`,
      () => `EXISTS (SELECT 1 WHERE ${inner()})`,
      () => `ARRAY(SELECT ${inner()} FROM t ORDER BY a)`,
      () => `SUM(a) OVER (PARTITION BY ${this.#pick(ATOMS)} ORDER BY b DESC ROWS 1 PRECEDING)`,
      () => `COUNT(DISTINCT ${inner()})`,
      () => `POSITION(${this.#pick(ATOMS)} IN ${this.#pick(ATOMS)})`,
      () => `SUBSTRING(${inner()} FROM ${this.#pick(ATOMS)} FOR ${inner()})`,
      () => `TRIM(LEADING 'x' FROM ${inner()})`,
      () => `EXTRACT(YEAR FROM ${inner()})`,
    ])();
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.#random() * choices.length)];
    if (choice === undefined) throw new Error('nothing to pick from');
    return choice;
  }
}
