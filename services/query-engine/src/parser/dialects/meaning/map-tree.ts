import type { AstExpression, AstFromItem, AstQuery, AstSortKey } from '../../ast.ts';

interface TreeChanges {
  /** Gives an expression, whose parts were changed before it, as it is to be. */
  readonly expression: (expression: AstExpression) => AstExpression;
  readonly sortKey: (key: AstSortKey) => AstSortKey;
  readonly tableName?: (name: AstTableName) => AstTableName;
}

type AstTableName = Extract<AstFromItem, { readonly kind: 'TableName' }>;

/** The tree with changes made to every expression, key of an order and name of a table, from the leaves up. */
export function mapTree(query: AstQuery, changes: TreeChanges): AstQuery {
  const mapped = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(mapped);
    const copy: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(node)) copy[name] = name === 'pos' ? value : mapped(value);
    if (isTableName(copy)) return changes.tableName?.(copy) ?? copy;
    if (isSortKey(copy)) return changes.sortKey(copy);
    return isExpression(copy) ? changes.expression(copy) : copy;
  };
  return mapped(query) as AstQuery;
}

/** The kinds of nodes that are no expressions. `Expression` is an item of a list of columns or of groups. */
const OTHER_KINDS: ReadonlySet<unknown> = new Set([
  ...['Query', 'SetOperation', 'Values', 'Select', 'Star', 'Expression', 'TableName', 'DerivedTable', 'Join'],
  ...['Rollup', 'Cube', 'GroupingSets', 'Index', 'UnboundedPreceding', 'UnboundedFollowing', 'CurrentRow'],
  ...['Preceding', 'Following'],
]);

const isTableName = (node: Record<string, unknown>): node is Record<string, unknown> & AstTableName =>
  node['kind'] === 'TableName';

const isSortKey = (node: object): node is AstSortKey => 'descending' in node;

/** A step of a path is `Name`, too, but has no path of its own. */
const isExpression = (node: Record<string, unknown>): node is AstExpression & Record<string, unknown> =>
  typeof node['kind'] === 'string' &&
  !OTHER_KINDS.has(node['kind']) &&
  (node['kind'] !== 'Name' || Array.isArray(node['path']));
