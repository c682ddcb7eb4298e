import { ParserInternalError } from '../errors.ts';

/** The library's nodes, as far as drafts can produce them. Everything else is a contradiction and refused. */

/** One link of a chain: a placeholder with its operands (none for a plain name), or the grammar's own CASE. */
export type LibraryLink =
  | { readonly kind: 'Placeholder'; readonly index: number; readonly operands: readonly unknown[] }
  | {
      readonly kind: 'Case';
      readonly operand: unknown;
      readonly branches: readonly LibraryBranch[];
      readonly otherwise: unknown;
    };

export interface LibraryBranch {
  readonly when: unknown;
  readonly then: unknown;
}

type LibraryObject = Readonly<Record<string, unknown>>;

/** One SELECT; `next` is what a set operation joins to it. */
export interface LibrarySelect {
  readonly with: readonly { readonly placeholder: number; readonly query: unknown }[];
  /** Its only column. */
  readonly head: unknown;
  readonly from: readonly LibraryFromItem[];
  readonly where: unknown;
  readonly groupBy: readonly unknown[];
  readonly having: unknown;
  readonly orderBy: readonly unknown[];
  readonly next: { readonly operator: 'UNION' | 'INTERSECT' | 'EXCEPT'; readonly select: unknown } | null;
}

export interface LibraryFromItem {
  readonly placeholder: number;
  readonly on: unknown;
  readonly using: readonly number[] | null;
}

/** The links of a chain from left to right. The library nests it leftwards, so no recursion is needed. */
export function readChain(node: unknown): readonly LibraryLink[] {
  const links: LibraryLink[] = [];
  let at = object(node);
  while (at['type'] === 'binary_expr' && at['operator'] === '+') {
    links.push(readLink(object(at['right'])));
    at = object(at['left']);
  }
  links.push(readLink(at));
  return links.reverse();
}

function readLink(node: LibraryObject): LibraryLink {
  switch (node['type']) {
    case 'column_ref':
      if (node['table'] !== null) throw contradiction('a qualified name');
      return { kind: 'Placeholder', index: readPlaceholder(object(node['column'])['expr']), operands: [] };
    case 'function': {
      const name = list(object(node['name'])['name']);
      if (name.length !== 1) throw contradiction('a qualified function');
      const operands = object(node['args'])['value'];
      return { kind: 'Placeholder', index: readPlaceholder(name[0]), operands: list(operands) };
    }
    case 'case':
      return readCase(node);
    default:
      throw contradiction(`the expression ${String(node['type'])}`);
  }
}

function readCase(node: LibraryObject): LibraryLink {
  const parts = list(node['args']).map(object);
  const branches = parts
    .filter((part) => part['type'] === 'when')
    .map((part) => ({ when: part['cond'], then: part['result'] }));
  const otherwise = parts.find((part) => part['type'] === 'else')?.['result'] ?? null;
  if (branches.length + (otherwise === null ? 0 : 1) !== parts.length) throw contradiction('a CASE');
  return { kind: 'Case', operand: node['expr'] ?? null, branches, otherwise };
}

/** The SELECT that a query's parentheses hold. */
export function readParenthesised(node: unknown): unknown {
  return object(node)['ast'];
}

/** The parts of a SELECT. */
export function readLibrarySelect(node: unknown): LibrarySelect {
  const select = object(node);
  if (select['type'] !== 'select') throw contradiction(`a statement of type ${String(select['type'])}`);
  for (const absent of ['options', 'window', 'qualify', '_limit', '_orderby']) {
    if (select[absent] != null) throw contradiction(`a SELECT with ${absent}`);
  }
  const next = select['_next'];
  const columns = list(select['columns']);
  if (columns.length !== 1) throw contradiction('a SELECT of several columns');
  return {
    with: list(select['with'] ?? [])
      .map(object)
      .map((cte) => ({
        placeholder: readPlaceholder(cte['name']),
        query: object(cte['stmt'])['ast'] ?? cte['stmt'],
      })),
    head: object(columns[0])['expr'],
    from: list(select['from'] ?? [])
      .map(object)
      .map(readFromItem),
    where: select['where'] ?? null,
    groupBy: select['groupby'] == null ? [] : list(object(select['groupby'])['columns']),
    having: select['having'] ?? null,
    orderBy: list(select['orderby'] ?? []).map((key) => object(key)['expr']),
    next: next == null ? null : { operator: readSetOperator(select['set_op']), select: next },
  };
}

function readFromItem(item: LibraryObject): LibraryFromItem {
  const { on, using, db, as, table } = item;
  if (db != null || as != null) throw contradiction('a FROM item');
  return {
    placeholder: placeholderIndex(table),
    on: on ?? null,
    using: using == null ? null : list(using).map(readPlaceholder),
  };
}

function readSetOperator(operator: unknown): 'UNION' | 'INTERSECT' | 'EXCEPT' {
  if (operator === 'union') return 'UNION';
  if (operator === 'intersect') return 'INTERSECT';
  if (operator === 'except') return 'EXCEPT';
  throw contradiction(`the set operation ${String(operator)}`);
}

function readPlaceholder(node: unknown): number {
  return placeholderIndex(object(node)['value']);
}

function placeholderIndex(name: unknown): number {
  const index = typeof name === 'string' ? /^q(\d+)$/.exec(name)?.[1] : undefined;
  if (index === undefined) throw contradiction(`the name ${String(name)}`);
  return Number(index);
}

function object(node: unknown): LibraryObject {
  if (typeof node !== 'object' || node === null || Array.isArray(node))
    throw contradiction('something that is no node');
  return node as LibraryObject;
}

function list(nodes: unknown): readonly unknown[] {
  if (!Array.isArray(nodes)) throw contradiction('something that is no list');
  return nodes;
}

const contradiction = (what: string): ParserInternalError =>
  new ParserInternalError(`the grammar gave ${what}`);
