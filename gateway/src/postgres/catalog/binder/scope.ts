/** What names mean inside of a query: columns of what stands in FROM, and of the queries around it. */
import type { Bound, Field } from './bound.ts';
import { bindError } from './errors.ts';

export interface ScopeColumn extends Field {
  readonly sql: string;
  /** Of the relation, found by its name and left out of `*`. */
  readonly isHidden?: boolean;
}

/** Something in FROM that has a name. */
export interface ScopeItem {
  readonly alias: string;
  readonly schema: string | null;
  readonly columns: readonly ScopeColumn[];
  /** Columns by which all others are known: of tables with OIDs. */
  readonly key?: string;
}

export interface Scope {
  readonly items: readonly ScopeItem[];
  /** What `*` shows and bare names find: columns that a join merged come once. */
  readonly columns: readonly ScopeColumn[];
  readonly parent: Scope | null;
}

export const emptyScope = (parent: Scope | null): Scope => ({ items: [], columns: [], parent });

const asBound = ({ name: _, isHidden: __, ...column }: ScopeColumn, at: number): Bound => ({ ...column, at });

export function findItem(scope: Scope | null, alias: string, schema: string | null): ScopeItem | null {
  for (let level = scope; level !== null; level = level.parent) {
    const found = level.items.find(
      (item) => item.alias === alias && (schema === null || item.schema === schema),
    );
    if (found !== undefined) return found;
  }
  return null;
}

/** All of an item as one composite value. */
export function wholeRow({ columns }: ScopeItem, at: number): Bound {
  const shown = columns.filter(({ isHidden }) => isHidden !== true);
  return {
    sql: `{${shown.map(({ sql }, i) => `'f${i + 1}': ${sql}`).join(', ')}}`,
    type: 2249,
    modifier: -1,
    at,
    fields: shown.map(({ sql: _, isHidden: __, ...field }) => field),
  };
}

function findBare(scope: Scope | null, name: string, at: number): Bound | null {
  for (let level = scope; level !== null; level = level.parent) {
    const shown = level.columns.filter((column) => column.name === name && column.isHidden !== true);
    const found = shown.length > 0 ? shown : level.columns.filter((column) => column.name === name);
    const [first] = found;
    if (found.length > 1) throw bindError('42702', `column reference "${name}" is ambiguous`, at);
    if (first !== undefined) return asBound(first, at);
    const item = level.items.find(({ alias }) => alias === name);
    if (item !== undefined) return wholeRow(item, at);
  }
  return null;
}

/** The column that a name of one or more parts means. */
export function findColumn(scope: Scope | null, parts: readonly string[], at: number): Bound {
  const name = parts.at(-1) ?? '';
  const alias = parts.at(-2);
  if (alias === undefined) {
    const found = findBare(scope, name, at);
    if (found === null) throw bindError('42703', `column "${name}" does not exist`, at, hintFor(scope, name));
    return found;
  }
  const item = findItem(scope, alias, parts.at(-3) ?? null);
  if (item === null) throw bindError('42P01', `missing FROM-clause entry for table "${alias}"`, at);
  const column = item.columns.find((one) => one.name === name);
  if (column === undefined)
    throw bindError('42703', `column ${alias}.${name} does not exist`, at, hintFor(scope, name));
  return asBound(column, at);
}

/** The one name that is nearest, where there is one. */
function hintFor(scope: Scope | null, name: string): string | undefined {
  for (const item of scope?.items ?? []) {
    const near = item.columns.find((column) => isNear(column.name, name));
    if (near !== undefined) return `Perhaps you meant to reference the column "${item.alias}.${near.name}".`;
  }
  return undefined;
}

/** At most one letter changed, added or left out. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || b.length < 4 || a === b) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const rest = (text: string, skip: number): string => text.slice(i + skip);
  return rest(a, 1) === rest(b, 1) || rest(a, 0) === rest(b, 1) || rest(a, 1) === rest(b, 0);
}
