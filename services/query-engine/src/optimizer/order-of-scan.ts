/** ORDER BY as the order of a scan's own columns, which reading by a key may give. */
import { requiredAttributes } from '../catalog/index-relation.ts';
import { allKeyAttributes } from '../catalog/table.ts';
import type { SortKey } from '../logical/expression.ts';
import type { LogicalPlan, ScanColumn, TableScan } from '../logical/plan.ts';
import { monotoneStep, type MonotoneStep } from './monotone-steps.ts';

type OrderHint = TableScan['orderHint'];

/** A sort key, followed down to the column that it is a function of: its functions, the outermost first. */
interface Followed extends Pick<SortKey, 'expression' | 'descending'> {
  readonly steps: readonly MonotoneStep[];
}

/** Functions around a column that are looked through. */
const STEPS_MAX = 16;

/** A scan's column, and the direction in which it gives a sort key's order. */
interface Ordering {
  readonly column: ScanColumn;
  readonly descending: boolean;
  /** Where the key is equal, the column is. */
  readonly strict: boolean;
}

function peeled({ expression, descending, steps }: Followed): Followed {
  const all = [...steps];
  let inner = expression;
  for (let step = monotoneStep(inner); step !== null && all.length < STEPS_MAX; step = monotoneStep(inner)) {
    all.push(step);
    inner = step.operand;
  }
  return { expression: inner, descending, steps: all };
}

function orderingOf(key: Followed, plan: LogicalPlan): Ordering | null {
  const { expression, descending, steps } = peeled(key);
  if (expression.kind !== 'ColumnReference') return null;
  const { id } = expression.column;
  switch (plan.kind) {
    case 'TableScan': {
      const column = plan.columns.find((one) => one.id === id);
      if (column === undefined || !isMonotone(steps, column, plan)) return null;
      const reversed = steps.filter(({ reverses }) => reverses).length % 2 === 1;
      return { column, descending: descending !== reversed, strict: steps.every(({ strict }) => strict) };
    }
    case 'Filter':
      return orderingOf({ expression, descending, steps }, plan.input);
    case 'Project': {
      const source = plan.columns.find(({ column }) => column.id === id);
      return source === undefined
        ? null
        : orderingOf({ expression: source.expression, descending, steps }, plan.input);
    }
    default:
      return null;
  }
}

/** Whether each function gets what it keeps in order, from the column on. */
function isMonotone(steps: readonly MonotoneStep[], { path }: ScanColumn, { table }: TableScan): boolean {
  if (steps.length === 0) return true;
  const isKey = ({ name }: { readonly name: string }): boolean => path.length === 1 && name === path[0];
  const key = allKeyAttributes(table).find(isKey);
  let kind = key?.type === 'N' ? 'number' : key?.type === 'S' ? 'text' : null;
  const isRequired = requiredAttributes(table).some(isKey);
  for (const { takes, gives, required } of steps.toReversed()) {
    if (kind === null || (takes !== null && takes !== kind) || (required && !isRequired)) return false;
    kind = gives ?? kind;
  }
  return true;
}

/**
 * The order as the scan's own columns; null where a key is none of them, and no function that keeps their order. Rows that are
 * equal in the last key may come in any order.
 */
export function orderHintOf(
  keys: readonly Pick<SortKey, 'expression' | 'descending'>[],
  plan: LogicalPlan,
): OrderHint | null {
  const hint: OrderHint[number][] = [];
  for (const [i, key] of keys.entries()) {
    const ordering = orderingOf({ ...key, steps: [] }, plan);
    if (ordering === null) return null;
    const { column, descending, strict } = ordering;
    if (!strict && i < keys.length - 1) {
      // The day of a time, then the time: the time alone says as much.
      const next = orderingOf({ ...(keys[i + 1] as SortKey), steps: [] }, plan);
      if (next?.column !== column || next.descending !== descending) return null;
      continue;
    }
    hint.push(Object.freeze({ column, descending }));
  }
  return Object.freeze(hint);
}
