/**
 * Random queries over attributes that hold values of any type, each also as a query of a plain DuckDB whose tables hold
 * the same values tagged with their types, compared by the macros of `mixed-reference.ts`.
 */
import { choiceFrom } from './choice.ts';
import { holds } from './mixed-reference.ts';

export interface MixedQuery {
  /** For the engine. */
  readonly sql: string;
  /** For the reference: each value of a row as JSON text. */
  readonly reference: string;
  readonly ordered: boolean;
}

/** The same said in both dialects. */
interface Both {
  readonly sql: string;
  readonly reference: string;
}

const NUMBERS = ['0', '1', '7', '-3', '1.5', '9007199254740992', '9007199254740993', '0.1'] as const;
const TEXTS = ['', 'x', '1', '07', '1.0', '7', ' 7', 'true', 'T', 'yes', 'no', 'AQ==', '[1]', '9007199254740993', 'k1', '1e1'] as const; // oxfmt-ignore
const OPERATORS = ['=', '=', '=', '<>', '<', '<=', '>', '>='] as const;

const same = (text: string): Both => ({ sql: text, reference: text });
/** Parts of both, alternating with text that both have. */
function both(texts: TemplateStringsArray, ...parts: readonly (Both | string)[]): Both {
  const join = (side: keyof Both): string =>
    texts.reduce((made, text, i) => {
      const part = parts[i - 1];
      return made + (typeof part === 'object' ? part[side] : (part ?? '')) + text;
    });
  return { sql: join('sql'), reference: join('reference') };
}

const tagged = (type: string, text: string): string => `{'k': '${type}', 't': '${text}'}`;

const SEVEN: Both = { sql: '7', reference: tagged('N', '7') };

export function mixedGenerator(seed: number): () => MixedQuery {
  const { int, pick, maybe } = choiceFrom(seed);

  const constant = (): Both =>
    pick([
      () => pick(NUMBERS.map((text) => ({ sql: text, reference: tagged('N', text) }))),
      () => pick(NUMBERS.map((text) => ({ sql: text, reference: tagged('N', text) }))),
      () => pick(TEXTS.map((text) => ({ sql: `'${text}'`, reference: tagged('S', text) }))),
      () => pick(TEXTS.map((text) => ({ sql: `'${text}'`, reference: tagged('S', text) }))),
      () => pick(['true', 'false'].map((text) => ({ sql: text, reference: tagged('BOOL', text) }))),
      () => (maybe(0.3) ? { sql: 'NULL', reference: 'NULL::STRUCT(k VARCHAR, t VARCHAR)' } : SEVEN),
    ])();
  const column = (alias: string): Both => same(`${alias}.${pick(['v', 'v', 'w', 'kind', 'n', 'few'])}`);
  const value = (alias: string): Both => (maybe(0.6) ? constant() : column(alias));
  const compared = (operator: string, a: Both, b: Both): Both => ({
    sql: `${a.sql} ${operator} ${b.sql}`,
    reference: holds(operator, a.reference, b.reference),
  });
  const quantified = (a: Both, operator: string, quantifier: 'ANY' | 'ALL', from: Both, of: Both): Both => {
    const test = holds(operator, a.reference, of.reference);
    const [decides, outcome, otherwise] =
      quantifier === 'ANY' ? [test, 'TRUE', 'FALSE'] : [`NOT ${test}`, 'FALSE', 'TRUE'];
    const exists = (when: string): string => `EXISTS (SELECT 1 FROM ${from.reference} AND ${when})`;
    return {
      sql: `${a.sql} ${operator} ${quantifier} (SELECT ${of.sql} FROM ${from.sql})`,
      reference: `(CASE WHEN ${exists(decides)} THEN ${outcome} WHEN ${exists(`${test} IS NULL`)} THEN NULL ELSE ${otherwise} END)`,
    };
  };
  const inSubquery = (alias: string): Both => {
    const from = both`shop.things s WHERE ${predicate('s', 0)}`;
    const asked = quantified(column(alias), '=', 'ANY', from, column('s'));
    const sql = asked.sql.replace('= ANY', 'IN');
    const negated = { sql: sql.replace(' IN ', ' NOT IN '), reference: `(NOT ${asked.reference})` };
    return maybe(0.5) ? { ...asked, sql } : negated;
  };

  const leaf = (alias: string): Both =>
    pick<() => Both>([
      () => compared(pick(OPERATORS), column(alias), value(alias)),
      () => compared(pick(OPERATORS), column(alias), value(alias)),
      () => compared(pick(OPERATORS), constant(), column(alias)),
      () => compared('=', same(`${alias}.kind`), constant()),
      () => compared(pick(OPERATORS), same(`${alias}.n`), constant()),
      () => {
        const [operand, other] = [column(alias), value(alias)];
        return {
          sql: `${operand.sql} IS DISTINCT FROM ${other.sql}`,
          reference: `(CASE WHEN ${operand.reference} IS NULL OR ${other.reference} IS NULL THEN (${operand.reference} IS NULL) <> (${other.reference} IS NULL) ELSE NOT ${holds('=', operand.reference, other.reference)} END)`,
        };
      },
      () => {
        const operand = column(alias);
        const values = Array.from({ length: pick([1, 2, 3, 10]) }, constant);
        const not = maybe(0.3) ? 'NOT ' : '';
        const tests = values.map((one) => compared('=', operand, one).reference).join(' OR ');
        return {
          sql: `${operand.sql} ${not}IN (${values.map(({ sql }) => sql).join(', ')})`,
          reference: `(${not}(${tests}))`,
        };
      },
      () => {
        const [operand, low, high] = [column(alias), value(alias), value(alias)];
        const not = maybe(0.3) ? 'NOT ' : '';
        return {
          sql: `${operand.sql} ${not}BETWEEN ${low.sql} AND ${high.sql}`,
          reference: `(${not}(${compared('>=', operand, low).reference} AND ${compared('<=', operand, high).reference}))`,
        };
      },
      () => both`${column(alias)} IS ${pick(['', 'NOT '])}NULL`,
      () => {
        const operand = same(`${alias}.v`);
        const pattern = pick(['1%', '%7', 'x', 't%', '']);
        return {
          sql: `${operand.sql} LIKE '${pattern}'`,
          reference: `${operand.reference}.t LIKE '${pattern}'`,
        };
      },
    ])();

  const predicate = (alias: string, depth: number): Both => {
    if (depth === 0) return leaf(alias);
    const inner = (): Both => predicate(alias, depth - 1);
    return pick<() => Both>([
      () => leaf(alias),
      () => leaf(alias),
      () => both`(${inner()} AND ${inner()})`,
      () => both`(${inner()} OR ${inner()})`,
      () => both`NOT (${inner()})`,
      () => inSubquery(alias),
      () => quantified(column(alias), pick(OPERATORS), pick(['ANY', 'ALL']), both`shop.things s WHERE ${predicate('s', 0)}`, column('s')),
      () => {
        const test = compared(pick(OPERATORS), column('s'), column(alias));
        return both`${pick(['', 'NOT '])}EXISTS (SELECT 1 FROM shop.things s WHERE ${test} AND ${predicate('s', 0)})`;
      },
      () => {
        const [operand, when] = [column(alias), value(alias)];
        return {
          sql: `CASE ${operand.sql} WHEN ${when.sql} THEN TRUE ELSE FALSE END`,
          reference: `coalesce(${holds('=', operand.reference, when.reference)}, FALSE)`,
        };
      },
      () => {
        const [operand, other] = [column(alias), value(alias)];
        return {
          sql: `NULLIF(${operand.sql}, ${other.sql}) IS NULL`,
          reference: `(${operand.reference} IS NULL OR coalesce(${holds('=', operand.reference, other.reference)}, FALSE))`,
        };
      },
    ])();
  }; // oxfmt-ignore

  const shown = (...columns: readonly string[]): Both => ({
    sql: columns.join(', '),
    reference: columns.map((name) => `shown(${name})`).join(', '),
  });
  const query = ({ sql, reference }: Both, ordered = false): MixedQuery => ({ sql, reference, ordered });
  const where = (alias: string): Both => both` WHERE ${predicate(alias, 2)}`;
  const joined = (kind: string): Both => {
    const on = compared(maybe(0.8) ? '=' : pick(OPERATORS), column('t'), column('u'));
    const more = maybe(0.4) ? both` AND ${predicate(pick(['t', 'u']), 0)}` : same('');
    const filter = maybe(0.6) ? where(pick(['t', 'u'])) : same('');
    return both`FROM shop.things t ${kind} shop.things u ON ${on}${more}${filter}`;
  };

  return () =>
    pick<() => MixedQuery>([
      () => query(both`SELECT ${shown('t.kind', 't.n', 't.v')} FROM shop.things t${where('t')}`),
      () => query(both`SELECT ${shown('t.kind', 't.n', 't.v')} FROM shop.things t${where('t')}`),
      () => {
        const filter = where('t');
        const [descending, limit] = [maybe(0.5) ? ' DESC' : '', int(20)];
        return query({
          sql: `SELECT t.kind, t.n, t.v FROM shop.things t${filter.sql} ORDER BY t.v${descending}, t.kind, t.n LIMIT ${limit}`,
          reference: `SELECT shown(t.kind), shown(t.n), shown(t.v) FROM shop.things t${filter.reference} ORDER BY place(t.v)${descending} NULLS ${descending === '' ? 'FIRST' : 'LAST'}, t.kind.t, CAST(t.n.t AS INTEGER) LIMIT ${limit}`,
        }, true);
      },
      () => {
        const filter = where('t');
        return query({
          sql: `SELECT t.v, COUNT(*), COUNT(t.w) FROM shop.things t${filter.sql} GROUP BY t.v`,
          reference: `SELECT shown(t.v), COUNT(*)::VARCHAR, COUNT(t.w)::VARCHAR FROM shop.things t${filter.reference} GROUP BY t.v`,
        });
      },
      () => {
        const filter = where('t');
        return query({
          sql: `SELECT MIN(t.v), MAX(t.v), COUNT(DISTINCT t.w), SUM(CASE WHEN t.v = t.w THEN 1 ELSE 0 END) FROM shop.things t${filter.sql}`,
          reference: `SELECT shown(arg_min(t.v, place(t.v))), shown(arg_max(t.v, place(t.v))), COUNT(DISTINCT t.w)::VARCHAR, SUM(CASE WHEN ${holds('=', 't.v', 't.w')} THEN 1 ELSE 0 END)::VARCHAR FROM shop.things t${filter.reference}`,
        });
      },
      () => {
        const operator = pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT']);
        const [a, b] = [where('t'), where('t')];
        const [x, y] = [column('t').sql, column('t').sql];
        return query({
          sql: `SELECT ${x} AS x FROM shop.things t${a.sql} ${operator} SELECT ${y} FROM shop.things t${b.sql}`,
          reference: `SELECT shown(x) FROM (SELECT ${x} AS x FROM shop.things t${a.reference} ${operator} SELECT ${y} FROM shop.things t${b.reference})`,
        });
      },
      () => query(both`SELECT ${shown('t.kind', 't.n', 'u.kind', 'u.n')} ${joined('JOIN')}`),
      () => query(both`SELECT ${shown('t.kind', 't.n', 'u.kind', 'u.n')} ${joined(pick(['LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN']))}`),
      () => {
        const tests = [predicate('t', 1), predicate('t', 1)];
        return query({
          sql: `SELECT t.kind, t.n, ${tests.map(({ sql }) => `(${sql})`).join(', ')} FROM shop.things t`,
          reference: `SELECT shown(t.kind), shown(t.n), ${tests.map(({ reference }) => `(${reference})::VARCHAR`).join(', ')} FROM shop.things t`,
        });
      },
    ])(); // oxfmt-ignore
}
