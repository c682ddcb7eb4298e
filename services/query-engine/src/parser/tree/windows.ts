import type {
  AstExpression,
  AstSortKey,
  AstWindow,
  AstWindowFrame,
  FrameBound,
  Identifier,
  Position,
} from '../ast.ts';
import type { FrameBoundMark, Mark } from '../marks.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { callOf, misplaced, refuse, type TreeContext, type WindowDefinition } from './context.ts';
import { readExpression, readSortKey } from './expressions.ts';

/** Puts WITHIN GROUP, FILTER or OVER on the call before it. */
export function applyFunctionSuffix(
  context: TreeContext,
  call: AstExpression,
  mark: Mark,
  operands: readonly unknown[],
): AstExpression {
  if (call.kind !== 'FunctionCall') throw misplaced(mark.kind);
  switch (mark.kind) {
    case 'WithinGroup':
      return { ...call, withinGroup: operands.map((key) => readSortKey(context, key)) };
    case 'Filter':
      return { ...call, filter: readExpression(context, operands[0]) };
    case 'Over':
      return { ...call, over: readWindow(context, mark.base, mark.named, operands, mark.pos, 0) };
    default:
      throw misplaced(mark.kind);
  }
}

/** The definitions of a WINDOW clause by name; names are the same whatever their case. */
export function readDefinitions(
  context: TreeContext,
  operands: readonly unknown[],
): ReadonlyMap<string, WindowDefinition> {
  const definitions = new Map<string, WindowDefinition>();
  for (const node of operands) {
    const { mark, operands: parts } = callOf(context, node);
    if (mark.kind !== 'WindowDefinition') throw misplaced(mark.kind);
    const key = mark.name.name.toLowerCase();
    if (definitions.has(key)) throw refuse(context, mark.pos, `window '${mark.name.name}' is defined twice`);
    definitions.set(key, { base: mark.base, operands: parts, pos: mark.pos });
  }
  return definitions;
}

/** A window with the named one it refers to or extends put in its place. */
function readWindow(
  context: TreeContext,
  base: Identifier | null,
  named: boolean,
  operands: readonly unknown[],
  pos: Position,
  level: number,
): AstWindow {
  const own = readParts(context, operands, pos);
  if (base === null) return own;
  const definition = context.windows.get(base.name.toLowerCase());
  if (definition === undefined) throw refuse(context, base.pos, `window '${base.name}' is not defined`);
  if (level >= PARSER_LIMITS.nestingMax)
    throw refuse(context, base.pos, `window '${base.name}' refers to itself`);
  const from = readWindow(context, definition.base, false, definition.operands, definition.pos, level + 1);
  if (named) return { ...from, pos };
  const problem =
    own.partitionBy.length > 0
      ? 'PARTITION BY is given already'
      : own.orderBy.length > 0 && from.orderBy.length > 0
        ? 'ORDER BY is given already'
        : from.frame !== null
          ? 'a window with a frame cannot be extended'
          : undefined;
  if (problem !== undefined) throw refuse(context, base.pos, `unexpected '${base.name}'`, problem);
  const orderBy = own.orderBy.length > 0 ? own.orderBy : from.orderBy;
  return { partitionBy: from.partitionBy, orderBy, frame: own.frame, pos };
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
