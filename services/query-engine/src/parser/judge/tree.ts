/** A tree as `json_serialize_sql` gives it; numbers are kept as their text, so that no digit is lost. */
export type DuckDbTree =
  string | boolean | null | readonly DuckDbTree[] | { readonly [key: string]: DuckDbTree };
export type DuckDbNode = { readonly [key: string]: DuckDbTree };

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:Infinity|NaN|\d[\d.eE+-]*)/g;

/** Reads a serialized tree. DuckDB writes infinite and unset numbers as no JSON has them, so numbers become strings. */
export function readTree(json: string): DuckDbTree {
  const text = json.replace(STRING_OR_NUMBER, (match) => (match.startsWith('"') ? match : `"#${match}"`));
  return JSON.parse(text) as DuckDbTree;
}

/** Whether a part of a tree is a node with fields. */
export const isNode = (tree: DuckDbTree | undefined): tree is DuckDbNode =>
  typeof tree === 'object' && tree !== null && !Array.isArray(tree);

/** The path of the first difference between two trees, such as `statements.0.node.where_clause`; null if there is none. */
export function firstDifference(
  left: DuckDbTree | undefined,
  right: DuckDbTree | undefined,
  path = '',
): string | null {
  if (left === right) return null;
  if (Array.isArray(left) !== Array.isArray(right)) return path;
  const both = typeof left === 'object' && typeof right === 'object' && left !== null && right !== null;
  if (!both || left === undefined || right === undefined) return path;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const fields = [left, right].map((tree) => (tree as DuckDbNode)[key]);
    const difference = firstDifference(fields[0], fields[1], path === '' ? key : `${path}.${key}`);
    if (difference !== null) return difference;
  }
  return null;
}
