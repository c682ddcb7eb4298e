import { withoutNoLimits, spelledAlike } from './spelling.ts';
import { isNode, type DuckDbTree } from './tree.ts';

/** Fields that tell where something stood, or how it is found or computed, not what it means. */
const IGNORED = new Set(['query_location', 'named_param_map', 'materialized']);
const PLACES = /"query_location":\d+/g;
const IS_TREE = '{"error":false,';

/** Whether two serialized trees are the same but for places in the text; false says nothing. */
export const areSameText = (left: string, right: string): boolean =>
  left.startsWith(IS_TREE) && (left === right || left.replace(PLACES, '') === right.replace(PLACES, ''));

/**
 * The path of the first difference in meaning between two trees, such as `statements.0.node.where_clause`; null if
 * there is none. Both are walked at once, and a node is brought to one spelling only when it is come to.
 */
export function firstDifference(left: DuckDbTree, right: DuckDbTree): string | null {
  const path: string[] = [];
  return differs(left, right, path) ? path.reverse().join('.') : null;
}

/** Whether two trees differ; `path` takes the keys of the difference, the innermost first. */
function differs(left: DuckDbTree | undefined, right: DuckDbTree | undefined, path: string[]): boolean {
  if (left === right) return false;
  if (Array.isArray(left) && Array.isArray(right))
    return listsDiffer(left as readonly DuckDbTree[], right as readonly DuckDbTree[], path);
  if (!isNode(left) || !isNode(right)) return true;
  const [a, b] = [spelledAlike(left), spelledAlike(right)];
  for (const key in a) {
    if (IGNORED.has(key) || !differs(a[key], b[key], path)) continue;
    path.push(key);
    return true;
  }
  for (const key in b) {
    if (Object.hasOwn(a, key) || IGNORED.has(key)) continue;
    path.push(key);
    return true;
  }
  return false;
}

function listsDiffer(left: readonly DuckDbTree[], right: readonly DuckDbTree[], path: string[]): boolean {
  const [a, b] = [withoutNoLimits(left), withoutNoLimits(right)];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    if (!differs(a[i], b[i], path)) continue;
    path.push(String(i));
    return true;
  }
  return false;
}
