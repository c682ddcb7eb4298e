/**
 * Predicates as programs write them instead of a column beside a literal: same rows, so same minima. Times are not among them:
 * what a time says of a text leaves other spellings possible, which cost half a unit each (`../written-keys` holds those).
 */
import type { Choice } from '../../choice.ts';
import type { Predicate } from './query.ts';

type Constant = string | number;
type Compare = Extract<Predicate, { readonly kind: 'compare' }>;

const literal = (value: Constant): string => (typeof value === 'number' ? String(value) : `'${value}'`);

/** A constant that has to be computed. */
function made(choice: Choice, value: Constant): string {
  if (typeof value === 'number')
    return choice.pick([
      `(${value - 1} + 1)`,
      `COALESCE(NULL, ${value})`,
      `CAST('${value}' AS BIGINT)`,
      `- -${value}`,
    ]);
  const cut = choice.int(value.length + 1);
  return choice.pick([
    `('${value.slice(0, cut)}' || '${value.slice(cut)}')`,
    `concat('${value.slice(0, cut)}', '${value.slice(cut)}')`,
    `CAST('${value}' AS text)`,
    `'${value}'::VARCHAR`,
    `COALESCE(NULL, '${value}')`,
  ]);
}

function compared(choice: Choice, column: string, { operator, value }: Compare): string {
  const plain = `${column} ${operator} ${literal(value)}`;
  const common = [
    `${column} ${operator} ${made(choice, value)}`,
    `(${plain}) IS TRUE`,
    `(${plain}) = true`,
    `CASE WHEN ${plain} THEN true ELSE false END`,
    `NOT NOT (${plain})`,
  ];
  if (typeof value === 'number')
    return choice.pick([
      ...common,
      `${column} + 1 ${operator} ${value + 1}`,
      `${column} - 5 ${operator} ${value - 5}`,
      `${column}::numeric ${operator} ${value}::numeric`,
    ]);
  const casts = [
    `CAST(${column} AS text) ${operator} CAST('${value}' AS text)`,
    `${column}::text ${operator} '${value}'`,
  ];
  if (operator !== '=') return choice.pick([...common, ...casts]);
  return choice.pick([
    ...common,
    ...casts,
    `NOT (${column} <> '${value}')`,
    `COALESCE(${column}, '') = '${value}'`,
    `${column} IS NOT DISTINCT FROM '${value}'`,
    `list_contains(['${value}'], ${column})`,
    `'X#' || ${column} = 'X#${value}'`,
  ]);
}

function listed(choice: Choice, column: string, values: readonly Constant[]): string {
  const list = values.map(literal).join(', ');
  const isText = values.every((value) => typeof value === 'string');
  return choice.pick([
    `${column} = ANY(ARRAY[${list}])`,
    `list_contains([${list}], ${column})`,
    `(${column} IN (${list})) IS TRUE`,
    `${column} IN (${values.map((value) => made(choice, value)).join(', ')})`,
    ...(isText ? [`CAST(${column} AS text) IN (${list})`, `COALESCE(${column}, '') IN (${list})`] : []),
  ]);
}

/** Not by what denies comparisons: that holds for values of other types, which an index may lack. */
function between(choice: Choice, column: string, low: Constant, high: Constant): string {
  return choice.pick([
    `${column} BETWEEN ${made(choice, low)} AND ${made(choice, high)}`,
    `(${column} BETWEEN ${literal(low)} AND ${literal(high)}) IS TRUE`,
    ...(typeof low === 'string' ? [`CAST(${column} AS VARCHAR) BETWEEN '${low}' AND '${high}'`] : []),
  ]);
}

function prefixed(choice: Choice, column: string, prefix: string): string {
  return choice.pick([
    `left(${column}, ${prefix.length}) = '${prefix}'`,
    `substr(${column}, 1, ${prefix.length}) = '${prefix}'`,
    `starts_with(${column}, '${prefix}')`,
    `${column} LIKE '${prefix}' || '%'`,
    `regexp_matches(${column}, '^${prefix}')`,
    `(${column} LIKE '${prefix}%') IS TRUE`,
  ]);
}

/** How a predicate is written, by choice. */
export const writeOtherwise =
  (choice: Choice) =>
  (alias: string, predicate: Predicate): string => {
    const column = `${alias}.${predicate.column}`;
    switch (predicate.kind) {
      case 'compare':
        return compared(choice, column, predicate);
      case 'in':
        return listed(choice, column, predicate.values);
      case 'between':
        return between(choice, column, predicate.low, predicate.high);
      case 'prefix':
        return prefixed(choice, column, predicate.prefix);
      case 'present':
        return `(${column} IS NOT NULL) = true`;
    }
  };
