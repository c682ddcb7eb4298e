import type { AstExpression, AstSortKey, AstWindow, AstWindowFrame, FrameBound, Position } from '../ast.ts';
import type { FrameBoundMark, Mark } from '../marks.ts';
import { unsupported } from '../prepass/statement.ts';
import { callOf, misplaced, refuse, type TreeContext } from './context.ts';
import { readExpression, readSortKey } from './expressions.ts';

type OverMark = Extract<Mark, { kind: 'Over' }>;

/** Functions of windows that are no aggregates. */
const WINDOW_FUNCTIONS = new Set([
  ...['ROW_NUMBER', 'RANK', 'DENSE_RANK', 'PERCENT_RANK', 'CUME_DIST', 'NTILE'],
  ...['LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE', 'NTH_VALUE'],
]);
/** The aggregates that DuckDB knows with WITHIN GROUP. */
const ORDERED_SET_AGGREGATES = new Set(['PERCENTILE_CONT', 'PERCENTILE_DISC', 'MODE']);

/** Puts WITHIN GROUP, FILTER or OVER on the call before it. */
export function applyFunctionSuffix(
  context: TreeContext,
  call: AstExpression,
  mark: Mark,
  operands: readonly unknown[],
): AstExpression {
  if (call.kind === 'Row' && 'pos' in mark)
    throw refuse(context, mark.pos, 'a window, filter or group after ROW (…)');
  if (call.kind !== 'FunctionCall') throw misplaced(mark.kind);
  switch (mark.kind) {
    case 'WithinGroup':
      if (!ORDERED_SET_AGGREGATES.has(call.name)) {
        throw unsupported(context.statement, mark.pos, `WITHIN GROUP for ${call.name}`);
      }
      checkWithinGroup(context, call, operands.length);
      return { ...call, withinGroup: operands.map((key) => readSortKey(context, key)) };
    case 'Filter':
      return { ...call, filter: readExpression(context, operands[0]) };
    case 'Over':
      checkWindowCall(context, call);
      return { ...call, over: readWindow(context, mark, operands) };
    default:
      throw misplaced(mark.kind);
  }
}

type Call = Extract<AstExpression, { kind: 'FunctionCall' }>;

/** What does not go with WITHIN GROUP; DuckDB finds this out while it parses, too. */
function checkWithinGroup({ statement }: TreeContext, call: Call, keys: number): void {
  const parts = [
    [call.distinct, 'DISTINCT'],
    [call.orderBy.length > 0, 'ORDER BY inside of its parentheses'],
    [call.name === 'MODE' && call.arguments.length > 0, 'an argument'],
    [keys > 1, 'more than one ORDER BY expression'],
  ] as const;
  const wrong = parts.find(([present]) => present)?.[1];
  if (wrong !== undefined)
    throw unsupported(statement, call.pos, `${wrong} for ${call.name} with WITHIN GROUP`, 'leave it out');
}

/** What only aggregates take; and DuckDB finds it out while it parses, so that it could not be the judge. */
function checkWindowCall(context: TreeContext, call: Call): void {
  if (!WINDOW_FUNCTIONS.has(call.name)) return;
  const parts = [
    [call.distinct, 'DISTINCT'],
    [call.filter !== null, 'FILTER'],
    [call.orderBy.length > 0, 'ORDER BY inside of its parentheses'],
  ] as const;
  const wrong = parts.find(([present]) => present)?.[1];
  if (wrong === undefined) return;
  const { statement } = context;
  throw unsupported(statement, call.pos, `${wrong} for ${call.name}`, 'only aggregates take it');
}

/** The definitions of a WINDOW clause by name; names are the same whatever their case. */
export function readDefinitions(context: TreeContext, operands: readonly unknown[]): TreeContext['windows'] {
  const definitions = new Map<string, readonly unknown[]>();
  for (const node of operands) {
    const { mark, operands: parts } = callOf(context, node);
    if (mark.kind !== 'WindowDefinition') throw misplaced(mark.kind);
    const key = mark.name.name.toLowerCase();
    if (definitions.has(key)) throw refuse(context, mark.pos, `window '${mark.name.name}' is defined twice`);
    definitions.set(key, parts);
  }
  return definitions;
}

/** A window with the named one it refers to or extends put in its place. */
function readWindow(
  context: TreeContext,
  { base, named, pos }: OverMark,
  operands: readonly unknown[],
): AstWindow {
  if (context.inWindow) {
    throw unsupported(
      context.statement,
      pos,
      'a window function inside of a window',
      'compute it in a subquery',
    );
  }
  const inner: TreeContext = { ...context, inWindow: true };
  const own = readParts(inner, operands, pos);
  if (base === null) return own;
  const definition = context.windows.get(base.name.toLowerCase());
  if (definition === undefined) throw refuse(context, base.pos, `window '${base.name}' is not defined`);
  const from = readParts(inner, definition, pos);
  if (named) return from;
  const problem = extensionProblem(own, from);
  if (problem !== undefined) throw refuse(context, base.pos, `unexpected '${base.name}'`, problem);
  const orderBy = own.orderBy.length > 0 ? own.orderBy : from.orderBy;
  return { partitionBy: from.partitionBy, orderBy, frame: own.frame, pos };
}

function extensionProblem(own: AstWindow, from: AstWindow): string | undefined {
  if (own.partitionBy.length > 0) return 'only the named window may have PARTITION BY';
  if (own.orderBy.length > 0 && from.orderBy.length > 0) return 'the named window has an ORDER BY already';
  return from.frame === null ? undefined : 'a window with a frame cannot be extended';
}

function readParts(context: TreeContext, operands: readonly unknown[], pos: Position): AstWindow {
  let partitionBy: readonly AstExpression[] = [];
  let orderBy: readonly AstSortKey[] = [];
  let frame: AstWindowFrame | null = null;
  for (const node of operands) {
    const { mark, operands: parts } = callOf(context, node);
    if (mark.kind === 'PartitionBy') partitionBy = parts.map((part) => readExpression(context, part));
    else if (mark.kind === 'WindowOrder') orderBy = parts.map((part) => readSortKey(context, part));
    else if (mark.kind === 'Frame') frame = readFrame(context, mark, parts);
    else throw misplaced(mark.kind);
  }
  return { partitionBy, orderBy, frame, pos };
}

function readFrame(
  context: TreeContext,
  mark: Extract<Mark, { kind: 'Frame' }>,
  offsets: readonly unknown[],
): AstWindowFrame {
  const rest = [...offsets];
  const bounds = mark.bounds.map((bound) => readBound(context, bound, rest));
  const [start, end = { kind: 'CurrentRow' }] = bounds;
  if (start === undefined) throw misplaced('a frame');
  return { unit: mark.unit, start, end, exclude: mark.exclude };
}

function readBound(context: TreeContext, kind: FrameBoundMark, offsets: unknown[]): FrameBound {
  if (kind !== 'Preceding' && kind !== 'Following') return { kind };
  return { kind, offset: readExpression(context, offsets.shift()) };
}
