import type { AstWindow, Identifier, Position } from '../ast.ts';
import {
  next,
  nextUpper,
  take,
  upperAt,
  type Cursor,
  type NamedWindow,
  type NamedWindows,
  type OpenWindow,
  type WindowUse,
} from './cursor.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { readFrame, startsFrame } from './frames.ts';
import { readExpressionList, readSortKeys } from './lists.ts';
import { endsClause, isCloser, isName } from './lookahead.ts';
import { readIdentifier, requireName } from './names.ts';
import { AN_OPERATOR, refuse, require, unexpected, unsupported } from './refusals.ts';

export const NO_WINDOWS: NamedWindows = new Map();

const STARTS: ReadonlySet<string> = new Set(['PARTITION', 'ORDER', 'ROWS', 'RANGE', 'GROUPS']);

/** Reads OVER with the window after it. One that refers to a named window is completed at the end of its SELECT. */
export function readOver(cursor: Cursor): AstWindow {
  const { position: pos } = next(cursor);
  const { windows } = cursor;
  if (windows.inside) {
    const advice = 'compute it in a subquery';
    throw unsupported(cursor, cursor.at, 'a window function inside of a window', advice);
  }
  cursor.at++;
  if (nextUpper(cursor) !== '(') {
    const base = requireName(cursor, 'a window name');
    const window: OpenWindow = { partitionBy: [], orderBy: [], frame: null, pos };
    windows.uses.push({ window, base, named: true });
    return window;
  }
  cursor.at++;
  const base = readBase(cursor);
  const window = readParts(cursor, pos);
  if (base !== null) windows.uses.push({ window, base, named: false });
  return window;
}

/** `(w ORDER BY x)` extends the window w. */
function readBase(cursor: Cursor): Identifier | null {
  const isBase = isName(cursor, cursor.at) && !STARTS.has(nextUpper(cursor));
  return isBase ? readIdentifier(cursor) : null;
}

/** Reads the parts of a window up to the bracket that closes around them, and goes past it. */
function readParts(cursor: Cursor, pos: Position): OpenWindow {
  const window: OpenWindow = { partitionBy: [], orderBy: [], frame: null, pos };
  const { windows } = cursor;
  windows.inside = true;
  if (take(cursor, 'PARTITION')) {
    require(cursor, 'BY');
    window.partitionBy = readExpressionList(cursor);
    if (nextUpper(cursor) !== 'ORDER' && !endsOrder(cursor)) throw unexpected(cursor, cursor.at, AN_OPERATOR);
  }
  if (take(cursor, 'ORDER')) {
    require(cursor, 'BY');
    window.orderBy = readSortKeys(cursor, endsOrder);
  }
  if (startsFrame(cursor)) window.frame = readFrame(cursor);
  if (!isCloser(cursor))
    throw unexpected(cursor, cursor.at, ['PARTITION BY', 'ORDER BY', 'ROWS', 'RANGE', "')'"]);
  cursor.at++;
  windows.inside = false;
  return window;
}

const endsOrder = (cursor: Cursor): boolean => startsFrame(cursor) || isCloser(cursor);

/** Reads the definitions of a WINDOW clause, by name; names are the same whatever their case. */
export function readWindowClause(cursor: Cursor): NamedWindows {
  const definitions = new Map<string, NamedWindow>();
  do {
    const name = requireName(cursor, 'a window name');
    require(cursor, 'AS');
    require(cursor, '(');
    if (readBase(cursor) !== null)
      throw unsupported(cursor, cursor.at - 1, 'a window that extends another in WINDOW', 'write it out');
    const { at } = cursor;
    const window = readParts(cursor, name.pos);
    const key = name.name.toLowerCase();
    if (definitions.has(key)) throw refuse(cursor, name.pos, `window '${name.name}' is defined twice`);
    definitions.set(key, { window, tokens: cursor.at - at });
    if (upperAt(cursor, cursor.at) !== ',' && !endsClause(cursor))
      throw unexpected(cursor, cursor.at, ["','"]);
  } while (take(cursor, ','));
  return definitions;
}

/** Reads something in a scope of windows of its own, in which no other is open. */
export function inWindowScope<T>(cursor: Cursor, read: () => T): T {
  const outer = cursor.windows;
  cursor.windows = { uses: [], inside: false };
  const made = read();
  cursor.windows = outer;
  return made;
}

/** Completes the windows of this scope that refer to a named one. */
export function resolveWindows(cursor: Cursor, definitions: NamedWindows): void {
  for (const use of cursor.windows.uses) {
    const { window, base, named } = use;
    const found = definitions.get(base.name.toLowerCase());
    if (found === undefined) throw refuse(cursor, base.pos, `window '${base.name}' is not defined`);
    countTokens(cursor, base, found);
    const definition = found.window;
    const problem = named ? undefined : extensionProblem(use, definition);
    if (problem !== undefined) throw refuse(cursor, base.pos, `unexpected '${base.name}'`, problem);
    window.partitionBy = definition.partitionBy;
    if (window.orderBy.length === 0) window.orderBy = definition.orderBy;
    window.frame ??= definition.frame;
  }
}

function countTokens(cursor: Cursor, { pos }: Identifier, { tokens }: NamedWindow): void {
  cursor.counts.windowTokens += tokens;
  const { windowTokensMax } = PARSER_LIMITS;
  if (cursor.counts.windowTokens <= windowTokensMax) return;
  const what = `more than ${windowTokensMax} tokens of named windows, counted wherever they are used`;
  throw unsupported(cursor, pos, what, 'use shorter windows, or compute what they order by in a subquery');
}

function extensionProblem({ window }: WindowUse, definition: AstWindow): string | undefined {
  if (window.partitionBy.length > 0) return 'only the named window may have PARTITION BY';
  if (window.orderBy.length > 0 && definition.orderBy.length > 0)
    return 'the named window has an ORDER BY already';
  return definition.frame === null ? undefined : 'a window with a frame cannot be extended';
}
