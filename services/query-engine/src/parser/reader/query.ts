import type { AstQuery, AstQueryBody } from '../ast.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { next, nextUpper, upperAt, type Cursor } from './cursor.ts';
import { readQueryInParentheses } from './lists.ts';
import { isCloser, isQueryStart, isValues } from './lookahead.ts';
import { readTail, type Tail } from './query-tail.ts';
import { notAQuery, unexpected, unsupported } from './refusals.ts';
import { readSelect, readTable } from './select.ts';
import { combine, isSetOperator, type SetOperand, type SetOperator } from './set-operations.ts';
import { readValues } from './values.ts';
import { inWindowScope, NO_WINDOWS, resolveWindows } from './windows.ts';
import { readWith } from './with.ts';

type Named = Pick<AstQuery, 'with' | 'recursive'>;

/** Reads a query, to the bracket that closes around it or to the end: WITH, SELECTs, ORDER BY and LIMIT. */
export function readQuery(cursor: Cursor): AstQuery {
  const named = readWith(cursor);
  const isSelect = nextUpper(cursor) !== '(';
  const first = readOperand(cursor);
  const windows = isSelect ? cursor.namedWindows : NO_WINDOWS;
  const { operands, operators } = readSetOperations(cursor, first);
  const tail = inWindowScope(cursor, () => {
    const read = readTail(cursor);
    resolveWindows(cursor, operators.length === 0 ? windows : NO_WINDOWS);
    return read;
  });
  if (!isCloser(cursor)) {
    const again = isSetOperator(nextUpper(cursor));
    const advice = again ? 'ORDER BY and LIMIT before it need parentheses' : undefined;
    throw unexpected(cursor, cursor.at, [], advice);
  }
  if (operators.length === 0 && first.kind === 'Query') return mergeParenthesized(cursor, first, named, tail);
  const body = combine(operands, operators);
  return { kind: 'Query', ...named, body, ...tail, pos: named.with[0]?.pos ?? body.pos };
}

function readSetOperations(
  cursor: Cursor,
  first: AstQueryBody,
): { readonly operands: readonly SetOperand[]; readonly operators: readonly SetOperator[] } {
  const operands: SetOperand[] = [{ body: first, all: false }];
  const operators: SetOperator[] = [];
  for (let operator = nextUpper(cursor); isSetOperator(operator); operator = nextUpper(cursor)) {
    cursor.at++;
    const quantifier = nextUpper(cursor);
    if (quantifier === 'ALL' || quantifier === 'DISTINCT') cursor.at++;
    if (nextUpper(cursor) === 'BY' && upperAt(cursor, cursor.at + 1) === 'NAME')
      throw unsupported(cursor, cursor.at, `${operator} BY NAME`, 'name the columns in order');
    operators.push(operator);
    operands.push({ body: readOperand(cursor), all: quantifier === 'ALL' });
  }
  return { operands, operators };
}

/** Reads a SELECT, TABLE, VALUES, or a query in parentheses. */
function readOperand(cursor: Cursor): AstQueryBody {
  const { at } = cursor;
  const { type, upper } = next(cursor);
  if (type === 'end' || isCloser(cursor)) throw unexpected(cursor, at, ['SELECT']);
  if (++cursor.counts.selects > PARSER_LIMITS.selectsMax) {
    throw unsupported(cursor, at, `more than ${PARSER_LIMITS.selectsMax} SELECTs in one statement`);
  }
  if (upper === 'SELECT' || upper === 'FROM') return readSelect(cursor);
  if (upper === 'TABLE') return readTable(cursor);
  if (upper === '(' && isQueryStart(cursor, at)) return unwrap(readQueryInParentheses(cursor));
  if (isValues(cursor, at)) return readValues(cursor);
  throw notAQuery(cursor, at);
}

/** Parentheses without a WITH, ORDER BY or LIMIT of their own only group. */
function unwrap(query: AstQuery): AstQueryBody {
  const bare =
    query.with.length === 0 && query.orderBy.length === 0 && query.limit === null && query.offset === null;
  return bare ? query.body : query;
}

/** `(SELECT … ORDER BY a) LIMIT 1` is one query; what would have to be applied twice is refused. */
function mergeParenthesized(cursor: Cursor, inner: AstQuery, named: Named, outer: Tail): AstQuery {
  const ordersTwice = outer.orderBy.length > 0 && inner.orderBy.length > 0;
  const limits = outer.orderBy.length > 0 || outer.limit !== null || outer.offset !== null;
  const limitsTwice = limits && (inner.limit !== null || inner.offset !== null);
  if (ordersTwice || limitsTwice || (named.with.length > 0 && inner.with.length > 0)) {
    const what = 'WITH, ORDER BY or LIMIT both inside and outside of parentheses';
    throw unsupported(cursor, inner.pos, what, 'write SELECT * FROM (…) AS t');
  }
  return {
    ...inner,
    with: [...named.with, ...inner.with],
    recursive: named.recursive || inner.recursive,
    orderBy: outer.orderBy.length > 0 ? outer.orderBy : inner.orderBy,
    limit: outer.limit ?? inner.limit,
    offset: outer.offset ?? inner.offset,
    pos: named.with[0]?.pos ?? inner.pos,
  };
}
