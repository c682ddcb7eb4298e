import type { Identifier } from '../ast.ts';
import type { FrameBoundMark } from '../marks.ts';
import { writeExpression, writeExpressionList } from './expressions.ts';
import { identifierAt, requireName } from './names.ts';
import { findAtLevel, findKeyword, inside, isKeyword, isName, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { writeSortKeys } from './sort-keys.ts';
import { tokenAt, unexpected, unsupported, upperAt, type Statement } from './statement.ts';

/** Writes WITHIN GROUP (…), FILTER (…) and OVER … after a call; returns the index after them. */
export function writeFunctionSuffixes(scope: Scope, index: number): number {
  const { statement, draft } = scope;
  let at = index;
  if (isKeyword(statement, at, 'IGNORE', 'RESPECT') && upperAt(statement, at + 1) === 'NULLS') {
    throw unsupported(statement, at, `${upperAt(statement, at)} NULLS`, 'write FILTER (WHERE x IS NOT NULL)');
  }
  if (isKeyword(statement, at, 'WITHIN') && upperAt(statement, at + 1) === 'GROUP') {
    const opening = requireWord(statement, at + 2, '(');
    const { from, to } = inside(statement, opening);
    requireWord(statement, from, 'ORDER');
    requireWord(statement, from + 1, 'BY');
    const pos = tokenAt(statement, at).position;
    draft.call({ kind: 'WithinGroup', pos }, at, () => writeSortKeys(scope, { from: from + 2, to }));
    at = to + 1;
  }
  if (isKeyword(statement, at, 'FILTER') && upperAt(statement, at + 1) === '(') {
    const { from, to } = inside(statement, at + 1);
    requireWord(statement, from, 'WHERE');
    const pos = tokenAt(statement, at).position;
    draft.call({ kind: 'Filter', pos }, at, () => writeExpression(scope, { from: from + 1, to }));
    at = to + 1;
  }
  return isKeyword(statement, at, 'OVER') ? writeOver(scope, at) : at;
}

function writeOver(scope: Scope, index: number): number {
  const { statement, draft } = scope;
  const pos = tokenAt(statement, index).position;
  if (upperAt(statement, index + 1) !== '(') {
    const base = requireName(statement, index + 1, 'a window name');
    draft.call({ kind: 'Over', base, named: true, pos }, index, () => undefined);
    return index + 2;
  }
  const span = inside(statement, index + 1);
  const { base, rest } = readBase(statement, span);
  draft.call({ kind: 'Over', base, named: false, pos }, index, () => writeWindow(scope, rest));
  return span.to + 1;
}

/** Writes the definitions of a WINDOW clause. */
export function writeWindowClause(scope: Scope, index: number, span: Span): void {
  const { statement, draft } = scope;
  draft.call({ kind: 'Windows', pos: tokenAt(statement, index).position }, index, () => {
    splitAtCommas(statement, span).forEach(({ from, to }, definition) => {
      if (definition > 0) draft.raw(',', from);
      const name = requireName(statement, from, 'a window name');
      requireWord(statement, from + 1, 'AS');
      const spec = inside(statement, requireWord(statement, from + 2, '('));
      if (spec.to + 1 !== to) throw unexpected(statement, spec.to + 1, ["','"]);
      const { base } = readBase(statement, spec);
      if (base !== null)
        throw unsupported(statement, spec.from, 'a window that extends another in WINDOW', 'write it out');
      draft.call({ kind: 'WindowDefinition', name, pos: name.pos }, from, () => writeWindow(scope, spec));
    });
  });
}

/** `(w ORDER BY x)` extends the window w. */
function readBase(
  statement: Statement,
  span: Span,
): { readonly base: Identifier | null; readonly rest: Span } {
  const { from, to } = span;
  const starts = ['PARTITION', 'ORDER', 'ROWS', 'RANGE', 'GROUPS'];
  const unnamed = from >= to || !isName(statement, from) || starts.includes(upperAt(statement, from));
  if (unnamed) return { base: null, rest: span };
  return { base: identifierAt(statement, from), rest: { from: from + 1, to } };
}

function writeWindow(scope: Scope, { from, to }: Span): void {
  const { statement, draft } = scope;
  const frame = findFrame(statement, { from, to });
  const framed = frame < 0 ? to : frame;
  const order = findKeyword(statement, { from, to: framed }, 'ORDER');
  const ordered = order < 0 ? framed : order;
  let at = from;
  if (isKeyword(statement, at, 'PARTITION') && at < ordered) {
    requireWord(statement, at + 1, 'BY');
    const span: Span = { from: at + 2, to: ordered };
    const pos = tokenAt(statement, at).position;
    draft.call({ kind: 'PartitionBy', pos }, at, () => writeExpressionList(scope, span));
    if (ordered < to) draft.raw(',', ordered);
    at = ordered;
  }
  if (at < ordered) throw unexpected(statement, at, ['PARTITION BY', 'ORDER BY', 'ROWS', 'RANGE', "')'"]);
  if (order >= 0) {
    requireWord(statement, order + 1, 'BY');
    const pos = tokenAt(statement, order).position;
    draft.call({ kind: 'WindowOrder', pos }, order, () =>
      writeSortKeys(scope, { from: order + 2, to: framed }),
    );
    if (framed < to) draft.raw(',', framed);
  }
  if (frame >= 0) writeFrame(scope, { from: frame, to });
}

/** ROWS, RANGE and GROUPS are names too: the frame starts the window, or follows a complete expression. */
function findFrame(statement: Statement, span: Span): number {
  return findAtLevel(statement, span, (index) => {
    if (!isKeyword(statement, index, 'ROWS', 'RANGE', 'GROUPS')) return false;
    const { type, upper } = tokenAt(statement, index - 1);
    const opensOperand = upper === 'BY' || (type === 'operator' && upper !== ')' && upper !== ']');
    return (index === span.from || !opensOperand) && index + 1 < span.to;
  });
}

function writeFrame(scope: Scope, { from, to }: Span): void {
  const { statement, draft } = scope;
  const unit = upperAt(statement, from) as 'ROWS' | 'RANGE' | 'GROUPS';
  const excluded = findKeyword(statement, { from, to }, 'EXCLUDE');
  const end = excluded < 0 ? to : excluded;
  const spans: Span[] = [];
  if (isKeyword(statement, from + 1, 'BETWEEN')) {
    const and = findKeyword(statement, { from: from + 2, to: end }, 'AND');
    if (and < 0) throw unexpected(statement, end, ['AND']);
    spans.push({ from: from + 2, to: and }, { from: and + 1, to: end });
  } else {
    spans.push({ from: from + 1, to: end });
  }
  const bounds = spans.map((span) => readBound(statement, span));
  checkOrder(statement, spans, bounds);
  const mark = { kind: 'Frame', unit, bounds, exclude: readExclude(statement, { from: end, to }) } as const;
  draft.call(mark, from, () => {
    const offsets = spans.filter(
      (_, bound) => bounds[bound] === 'Preceding' || bounds[bound] === 'Following',
    );
    offsets.forEach((span, offset) => {
      if (offset > 0) draft.raw(',', span.from);
      writeExpression(scope, { from: span.from, to: span.to - 1 });
    });
  });
}

const BOUND_ORDER: readonly FrameBoundMark[] = [
  ...(['UnboundedPreceding', 'Preceding', 'CurrentRow', 'Following', 'UnboundedFollowing'] as const),
];

/** A frame ends no earlier than it starts, by the kinds of its bounds. */
function checkOrder(
  statement: Statement,
  spans: readonly Span[],
  [start = 'CurrentRow', end = 'CurrentRow']: readonly FrameBoundMark[],
): void {
  const [first, second = first] = spans;
  if (first === undefined || second === undefined) return;
  if (start === 'UnboundedFollowing')
    throw unsupported(
      statement,
      first.from,
      'a frame that starts at UNBOUNDED FOLLOWING',
      'write UNBOUNDED PRECEDING',
    );
  if (end === 'UnboundedPreceding')
    throw unsupported(
      statement,
      second.from,
      'a frame that ends at UNBOUNDED PRECEDING',
      'write UNBOUNDED FOLLOWING',
    );
  if (BOUND_ORDER.indexOf(start) > BOUND_ORDER.indexOf(end)) {
    throw unsupported(statement, second.from, 'a frame that ends before it starts', 'swap its bounds');
  }
}

function readBound(statement: Statement, { from, to }: Span): FrameBoundMark {
  const last = upperAt(statement, to - 1);
  if (to - from === 2 && isKeyword(statement, from, 'CURRENT') && last === 'ROW') return 'CurrentRow';
  const unbounded = to - from === 2 && isKeyword(statement, from, 'UNBOUNDED');
  if (to - from >= 2 && last === 'PRECEDING') return unbounded ? 'UnboundedPreceding' : 'Preceding';
  if (to - from >= 2 && last === 'FOLLOWING') return unbounded ? 'UnboundedFollowing' : 'Following';
  throw unexpected(statement, to, ['PRECEDING', 'FOLLOWING', 'CURRENT ROW']);
}

function readExclude(statement: Statement, { from, to }: Span): 'CURRENT ROW' | 'GROUP' | 'TIES' | null {
  if (from === to) return null;
  const text = statement.tokens
    .slice(from + 1, to)
    .map((token) => token.upper)
    .join(' ');
  if (text === 'NO OTHERS') return null;
  if (text === 'CURRENT ROW' || text === 'GROUP' || text === 'TIES') return text;
  throw unexpected(statement, from + 1, ['CURRENT ROW', 'GROUP', 'TIES', 'NO OTHERS']);
}

/** The index itself; an error if another word or bracket stands there. */
function requireWord(statement: Statement, index: number, upper: string): number {
  if (upperAt(statement, index) !== upper)
    throw unexpected(statement, index, [upper === '(' ? "'('" : upper]);
  return index;
}
