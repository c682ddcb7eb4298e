/**
 * Keys that a statement asks something of, but not in words that a key can be found by: `UPPER(id) = 'A'`. Where it could say
 * which values it means, these would be read instead of all.
 */
import { entriesIndex } from '../../catalog/index-relation.ts';
import { queryKey, type IndexKey, type KeyAttribute, type SecondaryIndex } from '../../catalog/table.ts';
import { conditionsOf, type Condition } from '../../dynamodb/access-path/condition.ts';
import { knownColumns } from '../../dynamodb/access-path/keyed-candidates.ts';
import type { ColumnId, Expression } from '../../logical/expression.ts';
import type { ScanColumn, TableScan } from '../../logical/plan.ts';
import { childrenOf } from '../../logical/visit.ts';
import { usedColumns } from '../../optimizer/column-use.ts';
import { turnedAround } from '../../optimizer/turned-around/turned-around.ts';
import { printExpression } from '../explain/print-expression.ts';
import type { Change } from './change.ts';
import { shownName, shownPredicate, withPredicates, type Predicate } from './changed-scan.ts';
import { equalities, ranges } from './found-conditions.ts';
import { SHOWN_CONDITION_LENGTH_MAX } from './limits.ts';

/** For the table and each index of which the statement hides what lacks for reading by its key. */
export function hiddenKeyChanges(scan: TableScan, conjuncts: readonly Condition[]): readonly Change[] {
  const hidden = scan.filter.filter((conjunct) => isHidden(conjunct, scan));
  if (hidden.length === 0) return [];
  const { table } = scan;
  const own = entriesIndex(table) === null ? [null] : [];
  return [...own, ...table.indexes].flatMap((index) => {
    const open = openKeys(queryKey(table, index), conjuncts);
    const hiding = open.map((key) => hidden.find((conjunct) => isAbout(conjunct, key, scan)));
    const [first] = hiding;
    return first !== undefined && hiding.every((conjunct) => conjunct !== undefined)
      ? [changeOf(scan, index, open, first)]
      : [];
  });
}

/** What has to be said yet: each attribute of the partition key, or else the first of the sort key. */
function openKeys(
  { partitionKeys, sortKeys }: IndexKey,
  conjuncts: readonly Condition[],
): readonly KeyAttribute[] {
  const isEqual = ({ name }: KeyAttribute): boolean =>
    conjuncts.some((conjunct) => equalities(conjunct).some((one) => one.name === name));
  const isNarrowed = (key: KeyAttribute): boolean =>
    isEqual(key) || conjuncts.some((conjunct) => ranges(conjunct).some((one) => one.name === key.name));
  const open = partitionKeys.filter((key) => !isEqual(key));
  const next = sortKeys.find((key) => !isEqual(key));
  return open.length > 0 || next === undefined || isNarrowed(next) ? open : [next];
}

/** Whether a condition says nothing of any attribute that reads could go by, and nothing was concluded from it. */
function isHidden(conjunct: Expression, scan: TableScan): boolean {
  const columns = knownColumns(scan);
  const conditions = conditionsOf([conjunct], columns);
  return conditions.every(isMute) && turnedAround([conjunct], columns, scan.table).length === 0;
}

function isMute(condition: Condition): boolean {
  switch (condition.kind) {
    case 'Unknown':
    case 'IsNull':
      return true;
    case 'And':
      return condition.operands.every(isMute);
    case 'Or':
      return condition.operands.some(isMute);
    default:
      return false;
  }
}

/** Whether a condition asks something of a key through a function, a pattern or arithmetic. */
function isAbout(conjunct: Expression, { name }: KeyAttribute, scan: TableScan): boolean {
  const column = knownColumns(scan).find(({ path }) => path.length === 1 && path[0] === name);
  return column !== undefined && hides(conjunct, column.id);
}

function hides(node: Expression, column: ColumnId): boolean {
  switch (node.kind) {
    case 'ColumnReference':
      return false;
    case 'Not':
    case 'IsTruth':
    case 'And':
    case 'Or':
    case 'Comparison':
    case 'Between':
    case 'InList':
    case 'IsNull':
      // What compares the key itself says what it can of it.
      return childrenOf(node).some((child) => hides(child, column));
    default:
      return usedColumns(node).has(column);
  }
}

function changeOf(
  scan: TableScan,
  index: SecondaryIndex | null,
  open: readonly KeyAttribute[],
  conjunct: Expression,
): Change {
  const added = open.map((attribute): Predicate => ({ attribute, asks: 'value' }));
  const place = index === null ? 'the table' : `index ${index.name}`;
  const names = open.map(({ name }) => shownName(name)).join(' and ');
  const said = added.map(shownPredicate).join(' AND ');
  return {
    scan: withPredicates(scan, added),
    added,
    by: index?.name ?? null,
    isMeant: true,
    what: `\`${shownCondition(conjunct, scan)}\` does not tell which values of ${names} to read; with \`${said}\`, ${place} would be read by its key`,
  };
}

function shownCondition(conjunct: Expression, scan: TableScan): string {
  const columns = new Map(knownColumns(scan).map((column) => [column.id, column]));
  const shown = printExpression(conjunct, ({ id, name }) => {
    const column = columns.get(id);
    return column === undefined ? shownName(name) : shownPath(column);
  });
  const characters = [...shown];
  return characters.length > SHOWN_CONDITION_LENGTH_MAX
    ? `${characters.slice(0, SHOWN_CONDITION_LENGTH_MAX).join('')}…`
    : shown;
}

function shownPath({ path: [name, ...steps] }: ScanColumn): string {
  const below = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${shownName(step)}`));
  return [shownName(String(name)), ...below].join('');
}
