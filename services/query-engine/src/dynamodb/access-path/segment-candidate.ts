/** The segments of a scan that predicates leave, where rows tell which they are of. */
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import { ctidsOf, segmentOf, toldBy } from '../../catalog/segment-relation.ts';
import type { CatalogTable, ToldColumn } from '../../catalog/table.ts';
import { holdsOf } from '../../logical/comparison-operators.ts';
import type { ScanColumn, TableScan } from '../../logical/plan.ts';
import { compareDecimals, parseDecimal, type Decimal } from '../decimal.ts';
import type { Candidate } from './candidate.ts';
import type { CompareOperator, Condition } from './condition.ts';
import { leastUnits, sizeOf, unitsOfRange } from './estimate.ts';
import { knownColumns } from './keyed-candidates.ts';
import { segmentChecksMax } from './limits.ts';
import type { Literal } from './literal.ts';

const ALL: readonly number[] = Object.freeze(Array.from({ length: SEGMENT_COUNT }, (_, number) => number));

/** Whether a scan has to tell of its rows which segments they are of. */
export function tellsSegments(scan: TableScan): boolean {
  const { table } = scan;
  return table.told !== undefined && knownColumns(scan).some(({ path }) => toldBy(table, path) !== null);
}

/** The read of those segments whose numbers may pass the conjuncts; null: of none. */
export function segmentCandidate(
  scan: TableScan,
  conjuncts: readonly Condition[],
  consistent: boolean,
): Candidate | null {
  const { table } = scan;
  const checks = conjuncts.reduce((sum, condition) => sum + comparisonsIn(condition), 0) * SEGMENT_COUNT;
  const tests = conjuncts.map((condition) => ({
    condition,
    test: checks > segmentChecksMax ? NOTHING_SAID : testOf(condition, table),
  }));
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

/** Comparisons that a condition takes for each segment: whether one is in a list, is one. */
const comparisonsIn = (condition: Condition): number =>
  condition.kind === 'And' || condition.kind === 'Or'
    ? condition.operands.reduce((sum, operand) => sum + comparisonsIn(operand), 0)
    : 1;

function testOf(condition: Condition, table: CatalogTable): SegmentTest {
  switch (condition.kind) {
    case 'And':
    case 'Or': {
      const tests = condition.operands.map((operand) => testOf(operand, table));
      const of = (name: keyof SegmentTest) => (segment: number) => {
        const passes = (test: SegmentTest): boolean => test[name](segment);
        return condition.kind === 'And' ? tests.every(passes) : tests.some(passes);
      };
      return { mayPass: of('mayPass'), passesWhole: of('passesWhole') };
    }
    case 'Compare': {
      const { operator, literal } = condition;
      return operator === '='
        ? among(condition.column, [literal], table)
        : compared(condition.column, operator, literal, table);
    }
    case 'In':
      return among(condition.column, condition.literals, table);
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

type Told = Exclude<ToldColumn, 'ctid'>;

/** What a column tells that has a number for each segment; null of any other. */
function toldAs({ path }: ScanColumn, table: CatalogTable): Told | null {
  const told = toldBy(table, path);
  return told === 'ctid' ? null : told;
}

const WHOLE = /^\d{1,20}$/;

/** Of a column that is one of the constants. */
function among(column: ScanColumn, literals: readonly Literal[], table: CatalogTable): SegmentTest {
  const told = toldAs(column, table);
  // A segment may be spelled otherwise, as 7.0.
  const texts = literals.flatMap((one) => (one.type === 'number' && WHOLE.test(one.text) ? [one.text] : []));
  if (told === null || texts.length < literals.length) return NOTHING_SAID;
  const segments = new Set(
    texts.map((text) => (told === 'segment' ? Number(text) : segmentOf(BigInt(text)))),
  );
  const has = (segment: number): boolean => segments.has(segment);
  return { mayPass: has, passesWhole: told === 'segment' ? has : () => false };
}

/** Of a column that is compared with a constant. */
function compared(
  column: ScanColumn,
  operator: Exclude<CompareOperator, '='>,
  literal: Literal,
  table: CatalogTable,
): SegmentTest {
  const told = toldAs(column, table);
  const value = literal.type === 'number' ? parseDecimal(literal.text) : null;
  if (told === null || value === null) return NOTHING_SAID;
  const bounds = boundsBy(told);
  const ordersOf = (segment: number): readonly [number, number] => {
    const { first, last } = bounds[segment] as Bounds;
    return [compareDecimals(first, value), compareDecimals(last, value)];
  };
  const holds = (order: number): boolean => holdsOf(operator, order);
  return {
    mayPass: (segment) => ordersOf(segment).some(holds),
    passesWhole: (segment) => {
      const [first, last] = ordersOf(segment);
      // Between two that differ from it may be the constant itself.
      return holds(first) && holds(last) && !(first < 0 && last > 0);
    },
  };
}

/** The least and the greatest that the rows of a segment have in a column. */
interface Bounds {
  readonly first: Decimal;
  readonly last: Decimal;
}

const decimalOf = (value: number | bigint): Decimal => parseDecimal(String(value)) as Decimal;

function boundsOf(told: Told, segment: number): Bounds {
  const { first, last } = told === 'segment' ? { first: segment, last: segment } : ctidsOf(segment);
  return { first: decimalOf(first), last: decimalOf(last) };
}

/** The bounds of all segments, made when a statement first asks for them: few do. */
const madeBounds = new Map<Told, readonly Bounds[]>();

function boundsBy(told: Told): readonly Bounds[] {
  const bounds = madeBounds.get(told) ?? ALL.map((segment) => boundsOf(told, segment));
  madeBounds.set(told, bounds);
  return bounds;
}
