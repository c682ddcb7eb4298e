/** A generated query as a SQL statement. */
import type { JoinEdge, Occurrence, Output, Predicate, WorkloadQuery } from './query.ts';

const constant = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value}'`;

/** As a column beside literals. */
export function writePlainly(alias: string, predicate: Predicate): string {
  const column = `${alias}.${predicate.column}`;
  switch (predicate.kind) {
    case 'compare':
      return `${column} ${predicate.operator} ${constant(predicate.value)}`;
    case 'in':
      return `${column} IN (${predicate.values.map(constant).join(', ')})`;
    case 'between':
      return `${column} BETWEEN ${constant(predicate.low)} AND ${constant(predicate.high)}`;
    case 'prefix':
      return `${column} LIKE '${predicate.prefix}%'`;
    case 'present':
      return `${column} IS NOT NULL`;
  }
}

const writeOutput = ({ call, alias, of }: Output): string => {
  const column = of === null ? '*' : `${alias}.${of}`;
  return call === null ? column : `${call}(${column})`;
};

const columnText = ([alias, column]: readonly [string, string]): string => `${alias}.${column}`;

/** The statement over tables of a schema. `writePredicate`: how a conjunct is written. */
export function writeSql(query: WorkloadQuery, schema: string, writePredicate = writePlainly): string {
  const { occurrences, edges, outputs, groupBy, order, limit } = query;
  const named = new Map(occurrences.map((one) => [one.alias, one]));
  const tableOf = ({ table, alias }: Occurrence): string => `${schema}.${table} ${alias}`;
  const semi = edges.filter(({ kind }) => kind === 'semi');
  const inSubqueries = new Set(semi.map(({ right }) => right[0]));
  const where = occurrences
    .filter(({ alias }) => !inSubqueries.has(alias))
    .flatMap(({ alias, predicates }) => predicates.map((predicate) => writePredicate(alias, predicate)));
  for (const { left, right } of semi) {
    const inner = named.get(right[0])!;
    const conditions = inner.predicates.map((predicate) => writePredicate(inner.alias, predicate));
    const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    where.push(`${columnText(left)} IN (SELECT ${columnText(right)} FROM ${tableOf(inner)}${filter})`);
  }
  const joins = edges
    .filter(({ kind }) => kind !== 'semi')
    .map(({ kind, left, right }: JoinEdge) => {
      const word = kind === 'left' ? 'LEFT JOIN' : 'JOIN';
      return ` ${word} ${tableOf(named.get(right[0])!)} ON ${columnText(right)} = ${columnText(left)}`;
    });
  const alias = occurrences[0]!.alias;
  return [
    `SELECT ${[...groupBy.map(columnText), ...outputs.map(writeOutput)].join(', ')}`,
    ` FROM ${tableOf(occurrences[0]!)}${joins.join('')}`,
    where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`,
    groupBy.length === 0 ? '' : ` GROUP BY ${groupBy.map(columnText).join(', ')}`,
    order === null ? '' : ` ORDER BY ${alias}.${order.column}${order.descending ? ' DESC' : ''}`,
    limit === null ? '' : ` LIMIT ${limit}`,
  ].join('');
}
