/**
 * Queries that name themselves, as DuckDB's recursive CTEs.
 *
 * Rows of one step are those of the next, so both parts have the same types. The types follow from the values, as anywhere;
 * the step is written again until what it makes fits what it takes. Whole numbers and decimals do not widen from step to
 * step: they keep eighteen digits before the point, and a number beyond these fails as a CAST does.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { RECURSION_ROWS_MAX } from '../../limits.ts';
import type { Recursion, RecursionScan } from '../../logical/plan.ts';
import { blockFrom, type Block } from '../block.ts';
import type { NodeWriter } from '../node-writer.ts';
import { columnName, type WrittenQuery } from '../scope.ts';
import { commonType, digitsOf } from '../types/common-type.ts';
import { convertTo } from '../types/convert.ts';
import {
  BIGINT_DIGITS,
  DOUBLE,
  EXACT_DIGITS_MAX,
  NULL_TYPE,
  duckdbType,
  exactNumber,
  isNumber,
  mixed,
  type SqlType,
  type Typed,
} from '../types/sql-type.ts';

/** Counts what the steps of a session make. A session makes it where a query names it. */
const ROW_COUNTER = 'ps_recursion_rows';

/** The statement that makes the counter, for a session whose query needs it; null where it does not. */
export function counterFor(sql: string): string | null {
  if (!sql.includes(ROW_COUNTER)) return null;
  return `CREATE TEMP SEQUENCE IF NOT EXISTS ${ROW_COUNTER} MAXVALUE ${RECURSION_ROWS_MAX}`;
}

/** Whether DuckDB's error says that the counter is at its end. */
export const isCountedOut = (message: string): boolean =>
  message.includes(`nextval: reached maximum value of sequence "${ROW_COUNTER}"`);

/** Steps that are written in search of types that fit. */
const TRIES_MAX = 6;
/** After so many of them numbers are no longer exact. */
const EXACT_TRIES = 3;

/** With room for what a step adds. */
function roomy(type: SqlType): SqlType {
  if (type.kind !== 'integer' && type.kind !== 'decimal') return type;
  const scale = type.kind === 'decimal' ? type.scale : 0;
  return exactNumber(Math.max(type.integerDigits, Math.min(BIGINT_DIGITS, EXACT_DIGITS_MAX - scale)), scale);
}

/** The type that takes in what the step makes; the same where it does so already. */
function widened(type: SqlType, made: SqlType, tries: number): SqlType {
  const digits = isNumber(type) && isNumber(made) ? [digitsOf(type), digitsOf(made)] : [];
  const [own, its] = digits;
  if (own != null && its != null && its.scale <= own.scale) return type;
  const common = roomy(commonType([type, made]));
  if (tries < EXACT_TRIES) return common;
  if (isNumber(common)) return DOUBLE;
  return common.kind === 'mixed' ? mixed(DOUBLE, common.onlyNumbers, common.instants) : common;
}

const isSame = (a: SqlType, b: SqlType): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The step, and the types of its rows and of those that it is given. */
function fitted(
  node: Recursion,
  base: WrittenQuery,
  writer: NodeWriter,
): { readonly step: WrittenQuery; readonly types: readonly SqlType[] } {
  let types = base.columns.map(({ type }) => roomy(type));
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    writer.ctes.set(node.id, types);
    const step = writer.subquery(node.step);
    const next = types.map((type, i) => widened(type, step.columns[i]?.type ?? NULL_TYPE, tries));
    if (next.every((type, i) => isSame(type, types[i] ?? NULL_TYPE))) return { step, types };
    types = next;
  }
  throw new PenstockError('TYPE_ERROR', `Type error: the columns of ${node.name} change with each step`, {
    detail: `Write CAST(… AS …) around the columns of both SELECTs of ${node.name}`,
  });
}

/** A value as the type, which may hold fewer digits before the point than the value's own. */
function checked(value: Typed, type: SqlType): string {
  const { sql } = convertTo(value, type);
  return type.kind === 'integer' || type.kind === 'decimal' ? `CAST(${sql} AS ${duckdbType(type)})` : sql;
}

export function writeRecursion(node: Recursion, writer: NodeWriter): Block {
  const base = writer.subquery(node.base);
  const { step, types } = fitted(node, base, writer);
  const names = node.columns.map((column, i) => writer.declare(column, types[i] ?? NULL_TYPE));
  const part = ({ sql, columns }: WrittenQuery): string => {
    const list = columns.map(({ id, type }, i) =>
      checked({ sql: columnName(id), type }, types[i] ?? NULL_TYPE),
    );
    return `SELECT ${list.join(', ')} FROM (${sql}) ${writer.freshAlias()}`;
  };
  const name = `q${node.id}`;
  const query =
    `WITH RECURSIVE ${name}(${names.join(', ')}) AS (${part(base)} UNION${node.all ? ' ALL' : ''} ` +
    `${part(step)} WHERE nextval('temp.${ROW_COUNTER}') > 0) SELECT ${names.join(', ')} FROM ${name}`;
  return blockFrom(`(${query}) ${writer.freshAlias()}`);
}

/** The rows that came last, where the step names them. */
export function writeRecursionScan({ recursionId, columns }: RecursionScan, writer: NodeWriter): Block {
  const types = writer.ctes.get(recursionId) ?? [];
  const names = columns.map((column, i) => writer.declare(column, types[i] ?? NULL_TYPE));
  return blockFrom(`q${recursionId} AS ${writer.freshAlias()}(${names.join(', ')})`);
}
