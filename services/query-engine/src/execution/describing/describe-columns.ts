/** Names and types of a plan's columns, without reading. */
import type { DescribedColumn } from '../../catalog/description.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { Expression } from '../../logical/expression.ts';
import { walkDeep } from '../../logical/visit.ts';
import { writeResidual } from '../../duckdb-sql/plan.ts';
import { isNumber, type SqlType } from '../../duckdb-sql/types/sql-type.ts';
import type { PhysicalPlan } from '../../planning/physical-plan.ts';
import type { Sliced } from '../../scheduling/sliced-work.ts';
import { expectedType } from '../loading/expected-types.ts';
import { sourceOf } from '../loading/load-read.ts';
import { sourceFinder } from '../loading/sources.ts';
import { wideType } from './wide-type.ts';

/** Whole numbers, and numbers with fractions: what every number of an attribute may be. */
const WHOLE: SqlType = Object.freeze({ kind: 'integer', sql: 'BIGINT', integerDigits: 9 });
const FRACTIONAL: SqlType = Object.freeze({ kind: 'decimal', width: 12, scale: 3, integerDigits: 9 });

const isAnyNumber = (type: SqlType): boolean => isNumber(type) || (type.kind === 'mixed' && type.onlyNumbers);

/** The residual's types where each attribute that is a number is of this type. */
function typesWith(plan: PhysicalPlan, number: SqlType): readonly SqlType[] {
  const sources = plan.reads.map(({ table, columns }, i) => {
    const types = columns.map((column) => {
      const expected = expectedType(table, column);
      return isAnyNumber(expected) ? number : expected;
    });
    return { ...sourceOf(`r${i}`, types), rowCount: 0, bytes: 0 };
  });
  const { columns } = writeResidual(plan.statement.plan, sourceFinder(plan, sources), null);
  return columns.map(({ type }) => type);
}

interface Attribute {
  readonly attribute: string;
  readonly isKey: boolean;
}

const COMPUTED: Attribute = Object.freeze({ attribute: '', isKey: false });

/** Which attribute each column is, by its ID; columns that projections only hand on have that of what they hand on. */
function attributesOf(plan: PhysicalPlan): (id: number) => Attribute {
  const scanned = new Map<number, Attribute>();
  const projected = new Map<number, Expression>();
  const see = ({ table, columns }: TableScan): void => {
    const { partitionKey, sortKey } = table.key;
    for (const { id, path } of columns) {
      const isKey = path.length === 1 && [partitionKey.name, sortKey?.name].includes(String(path[0]));
      scanned.set(id, { attribute: path.join('.'), isKey });
    }
  };
  walkDeep(plan.statement.plan, {
    plan: (node) => {
      if (node.kind === 'TableScan') see(node);
      if (node.kind === 'Project')
        for (const { column, expression } of node.columns) projected.set(column.id, expression);
    },
  });
  const of = (id: number, steps: number): Attribute => {
    const found = scanned.get(id);
    if (found !== undefined) return found;
    const expression = projected.get(id);
    // A projection names columns below it: a chain of them ends.
    return expression?.kind === 'ColumnReference' && steps > 0 && expression.column.id !== id
      ? of(expression.column.id, steps - 1)
      : COMPUTED;
  };
  return (id) => of(id, projected.size);
}

/** Throws TYPE_ERROR where the statement's types cannot meet. */
export function* describeColumns(plan: PhysicalPlan): Sliced<readonly DescribedColumn[]> {
  const whole = typesWith(plan, WHOLE);
  yield;
  const fractional = typesWith(plan, FRACTIONAL);
  yield;
  const attributeOf = attributesOf(plan);
  return plan.statement.columns.map(({ id, name }, i) => {
    const type = whole[i];
    if (type === undefined) throw new Error(`no type of the column ${name}`);
    return { name, type: wideType(type, fractional[i] ?? type), ...attributeOf(id) };
  });
}
