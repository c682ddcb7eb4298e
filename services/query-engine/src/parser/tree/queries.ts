import type {
  AstCte,
  AstExpression,
  AstQuery,
  AstQueryBody,
  AstSetOperation,
  AstSortKey,
  AstValues,
} from '../ast.ts';
import { syntaxError } from '../errors.ts';
import { callOf, markOf, misplaced, readContents, type TreeContext } from './context.ts';
import { readExpression, readSortKey } from './expressions.ts';
import { readLibrarySelect, readParenthesised, type LibrarySelect } from './library.ts';
import { readSelect } from './select.ts';

type SetOperator = AstSetOperation['operator'];

/** The query that a library SELECT stands for, with the set operations joined to it. */
export function readQuery(context: TreeContext, node: unknown): AstQuery {
  const first = readLibrarySelect(node);
  const selects = [first];
  const operators: SetOperator[] = [];
  for (let { next } = first; next !== null;) {
    const select = readLibrarySelect(next.select);
    selects.push(select);
    operators.push(next.operator);
    next = select.next;
  }
  const ctes = first.with.map(({ placeholder, query }) => readCte(context, placeholder, query));
  // ORDER BY and LIMIT stand on the last SELECT and belong to the whole.
  const tail = readTail(context, selects.at(-1)?.orderBy ?? []);
  const operands = selects.map((select) => readSetOperand(context, select));
  const only = operands.length === 1 ? operands[0]?.body : undefined;
  if (only?.kind === 'Query') return mergeParenthesised(context, only, ctes, tail);
  const body = combine(operands, operators);
  const pos = ctes[0]?.pos ?? body.pos;
  return { kind: 'Query', with: ctes, recursive: false, body, ...tail, pos };
}

interface Tail {
  readonly orderBy: readonly AstSortKey[];
  readonly limit: AstExpression | null;
  readonly offset: AstExpression | null;
}

function readTail(context: TreeContext, keys: readonly unknown[]): Tail {
  const orderBy: AstSortKey[] = [];
  let limit: AstExpression | null = null;
  let offset: AstExpression | null = null;
  for (const key of keys) {
    const { mark, operands } = callOf(context, key);
    if (mark.kind === 'Limit') limit = readExpression(context, operands[0]);
    else if (mark.kind === 'Offset') offset = readExpression(context, operands[0]);
    else orderBy.push(readSortKey(context, key));
  }
  return { orderBy, limit, offset };
}

function readCte(context: TreeContext, placeholder: number, query: unknown): AstCte {
  const mark = markOf(context, placeholder);
  if (mark.kind !== 'Cte') throw misplaced(mark.kind);
  return { name: mark.name, columns: mark.columns, query: readQuery(context, query), pos: mark.name.pos };
}

interface SetOperand {
  readonly body: AstQueryBody;
  /** Whether ALL stood after the set operator before it. */
  readonly all: boolean;
}

function readSetOperand(context: TreeContext, select: LibrarySelect): SetOperand {
  const { mark } = callOf(context, select.head);
  switch (mark.kind) {
    case 'SelectHead':
      return { body: readSelect(context, select, mark), all: mark.allBefore };
    case 'QueryOperand': {
      const [nested = []] = readContents(context, select.where, 'Nested');
      return { body: unwrap(readQuery(context, readParenthesised(nested[0]))), all: mark.allBefore };
    }
    case 'ValuesOperand': {
      const [items = []] = readContents(context, select.where, 'Items');
      const rows = items.map((row) =>
        callOf(context, row).operands.map((value) => readExpression(context, value)),
      );
      const body: AstValues = { kind: 'Values', rows, pos: mark.pos };
      return { body, all: mark.allBefore };
    }
    default:
      throw misplaced(mark.kind);
  }
}

/** Parentheses without a WITH, ORDER BY or LIMIT of their own only group. */
function unwrap(query: AstQuery): AstQueryBody {
  const bare =
    query.with.length === 0 && query.orderBy.length === 0 && query.limit === null && query.offset === null;
  return bare ? query.body : query;
}

/** INTERSECT binds tighter than UNION and EXCEPT; all lean left. */
function combine(operands: readonly SetOperand[], operators: readonly SetOperator[]): AstQueryBody {
  const terms: SetOperand[] = [];
  const looser: SetOperator[] = [];
  operands.forEach((operand, index) => {
    const operator = operators[index - 1];
    const left = terms.at(-1);
    if (operator === 'INTERSECT' && left !== undefined) {
      terms[terms.length - 1] = { body: join(left.body, operator, operand), all: left.all };
    } else {
      terms.push(operand);
      if (operator !== undefined) looser.push(operator);
    }
  });
  const [first, ...rest] = terms;
  if (first === undefined) throw misplaced('a query');
  return rest.reduce((left, operand, index) => join(left, looser[index] ?? 'UNION', operand), first.body);
}

function join(left: AstQueryBody, operator: SetOperator, { body: right, all }: SetOperand): AstSetOperation {
  return { kind: 'SetOperation', operator, all, left, right, pos: left.pos };
}

/** `(SELECT … ORDER BY a) LIMIT 1` is one query; what would have to be applied twice is refused. */
function mergeParenthesised(
  context: TreeContext,
  inner: AstQuery,
  ctes: readonly AstCte[],
  outer: Tail,
): AstQuery {
  const ordersTwice = outer.orderBy.length > 0 && inner.orderBy.length > 0;
  const limits = outer.orderBy.length > 0 || outer.limit !== null || outer.offset !== null;
  const limitsTwice = limits && (inner.limit !== null || inner.offset !== null);
  if (ordersTwice || limitsTwice || (ctes.length > 0 && inner.with.length > 0)) {
    const what = 'WITH, ORDER BY or LIMIT both inside and outside of parentheses';
    const advice = 'write SELECT * FROM (…) AS t';
    throw syntaxError('unsupported', context.statement.sql, inner.pos, what, advice);
  }
  return {
    ...inner,
    with: [...ctes, ...inner.with],
    orderBy: outer.orderBy.length > 0 ? outer.orderBy : inner.orderBy,
    limit: outer.limit ?? inner.limit,
    offset: outer.offset ?? inner.offset,
    pos: ctes[0]?.pos ?? inner.pos,
  };
}
