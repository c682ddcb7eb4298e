/** The segments of a scan that predicates leave, where rows tell which they are of. */
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import { ctidsOf, toldBy } from '../../catalog/segment-relation.ts';
import type { CatalogTable } from '../../catalog/table.ts';
import type { ScanColumn, TableScan } from '../../logical/plan.ts';
import { compareDecimals, parseDecimal, type Decimal } from '../decimal.ts';
import type { Candidate } from './candidate.ts';
import type { CompareOperator, Condition } from './condition.ts';
import { leastUnits, sizeOf, unitsOfRange } from './estimate.ts';
import { knownColumns } from './keyed-candidates.ts';
import type { Literal } from './literal.ts';

const ALL: readonly number[] = Object.freeze(Array.from({ length: SEGMENT_COUNT }, (_, number) => number));

/** Whether a scan has to tell of its rows which segments they are of. */
export function tellsSegments(scan: TableScan): boolean {
  return scan.table.told !== undefined && knownColumns(scan).some(({ path }) => isTold(scan.table, path));
}

const isTold = (table: CatalogTable, path: readonly (string | number)[]): boolean =>
  toldBy(table, path) !== null;

/** The read of those segments whose numbers may pass the conjuncts; null: of none. */
export function segmentCandidate(
  scan: TableScan,
  conjuncts: readonly Condition[],
  consistent: boolean,
): Candidate | null {
  const { table } = scan;
  const tests = conjuncts.map((condition) => ({ condition, test: testOf(condition, table) }));
  const numbers = ALL.filter((number) => tests.every(({ test }) => test.mayPass(number)));
  if (numbers.length === 0) return null;
  const size = sizeOf(table, null);
  const part = numbers.length / SEGMENT_COUNT;
  const items = size.items * part;
  const least = numbers.length * leastUnits(consistent);
  return {
    path: { kind: 'Segments', numbers: numbers.length === SEGMENT_COUNT ? ALL : Object.freeze(numbers) },
    index: null,
    items,
    units: Math.max(least, unitsOfRange(items, size, consistent)),
    exact: new Set(
      tests.flatMap(({ condition, test }) => (numbers.every(test.passesWhole) ? [condition] : [])),
    ),
    ordered: scan.orderHint.length === 0,
    sideBySide: 1,
    reason: numbers.length === SEGMENT_COUNT ? 'rows tell their segments' : 'predicates choose segments',
  };
}

/** What a condition says of a segment's rows. */
interface SegmentTest {
  readonly mayPass: (segment: number) => boolean;
  /** Whether all of them do. */
  readonly passesWhole: (segment: number) => boolean;
}

const NOTHING_SAID: SegmentTest = Object.freeze({ mayPass: () => true, passesWhole: () => false });

function testOf(condition: Condition, table: CatalogTable): SegmentTest {
  switch (condition.kind) {
    case 'And':
    case 'Or': {
      const tests = condition.operands.map((operand) => testOf(operand, table));
      const [each, one] = [condition.kind === 'And', condition.kind === 'Or'];
      const of = (name: keyof SegmentTest) => (segment: number) =>
        (each && tests.every((test) => test[name](segment))) ||
        (one && tests.some((test) => test[name](segment)));
      return { mayPass: of('mayPass'), passesWhole: of('passesWhole') };
    }
    case 'Compare':
      return among(condition.column, condition.operator, [condition.literal], table);
    case 'In':
      return among(condition.column, '=', condition.literals, table);
    case 'IsNull': {
      const passes = (): boolean => condition.negated;
      return toldBy(table, condition.column.path) === null
        ? NOTHING_SAID
        : { mayPass: passes, passesWhole: passes };
    }
    case 'Never':
      return { mayPass: () => false, passesWhole: () => false };
    case 'Always':
      return { mayPass: () => true, passesWhole: () => true };
    case 'Prefix':
    case 'Unknown':
      return NOTHING_SAID;
  }
}

/** Of a column that is compared with any of the constants. */
function among(
  { path }: ScanColumn,
  operator: CompareOperator,
  literals: readonly Literal[],
  table: CatalogTable,
): SegmentTest {
  const told = toldBy(table, path);
  if (told === null || told === 'ctid') return NOTHING_SAID;
  const values = literals.map((literal) => (literal.type === 'number' ? parseDecimal(literal.text) : null));
  if (!values.every((value) => value !== null)) return NOTHING_SAID;
  const bounds = (segment: number): Bounds =>
    told === 'segment' ? boundsOf(segment, segment) : boundsOf(ctidsOf(segment).first, ctidsOf(segment).last);
  return {
    mayPass: (segment) => values.some((value) => comparedWith(bounds(segment), operator, value) !== 'none'),
    passesWhole: (segment) =>
      values.some((value) => comparedWith(bounds(segment), operator, value) === 'all'),
  };
}

/** What the rows of a segment have in a column, both included. */
interface Bounds {
  readonly first: Decimal;
  readonly last: Decimal;
}

const decimalOf = (value: number | bigint): Decimal => parseDecimal(String(value)) as Decimal;
const boundsOf = (first: number | bigint, last: number | bigint): Bounds => ({
  first: decimalOf(first),
  last: decimalOf(last),
});

/** How many of them pass. */
function comparedWith(
  { first, last }: Bounds,
  operator: CompareOperator,
  value: Decimal,
): 'all' | 'some' | 'none' {
  const [low, high] = [compareDecimals(first, value), compareDecimals(last, value)];
  const of = (all: boolean, none: boolean): 'all' | 'some' | 'none' => (all ? 'all' : none ? 'none' : 'some');
  switch (operator) {
    case '=':
      return of(low === 0 && high === 0, low > 0 || high < 0);
    case '<>':
      return of(low > 0 || high < 0, low === 0 && high === 0);
    case '<':
      return of(high < 0, low >= 0);
    case '<=':
      return of(high <= 0, low > 0);
    case '>':
      return of(low > 0, high <= 0);
    case '>=':
      return of(low >= 0, high < 0);
  }
}
