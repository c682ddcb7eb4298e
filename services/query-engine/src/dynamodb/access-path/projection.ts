import { OTHERS } from '../../catalog/others.ts';
import type { CatalogTable } from '../../catalog/table.ts';
import type { DocumentStep } from '../../logical/expression.ts';
import type { TableRead } from '../table-read.ts';
import { ExpressionNames } from './expression-text.ts';
import { expressionBytesMax } from './limits.ts';

/** More have no room in an expression, however short their placeholders are. */
const PATHS_MAX = expressionBytesMax / 2;

/**
 * What to send as ProjectionExpression for these paths. A path ends before its first list position, since DynamoDB closes
 * the gaps of projected lists; paths within others are left out, since it refuses overlaps. Null (whole items): when all
 * that the catalog knows is wanted anyway, or when the text would be too long.
 */
export function projectionOf(
  paths: readonly (readonly DocumentStep[])[],
  table: CatalogTable,
  isStarred = false,
): TableRead['projection'] {
  const wanted = new Map<string, readonly string[]>();
  for (const path of paths) {
    // Whatever comes with what is read.
    if (path[0] === OTHERS) continue;
    const names = namesOf(path);
    wanted.set(keyOf(names), names);
  }
  const outermost = [...wanted.values()].filter((path) => !hasPrefixIn(path, wanted));
  const whole = new Set(outermost.filter((path) => path.length === 1).map(([name]) => name));
  const known = table.attributes.map(({ name }) => name);
  const isKnown = isStarred || (known.length > 0 && table.sampledItems > 0);
  if (isKnown && known.every((name) => whole.has(name))) return null;
  if (outermost.length > PATHS_MAX) return null;
  const expression = new ExpressionNames({ name: 'p', value: 'p' });
  const text = outermost.map((path) => expression.path(path)).join(', ');
  if (text === '' || text.length > expressionBytesMax) return null;
  return { text, names: expression.expression(text).names };
}

function namesOf(path: readonly DocumentStep[]): readonly string[] {
  const end = path.findIndex((step) => typeof step === 'number');
  return (end < 0 ? path : path.slice(0, end)).map(String);
}

/** One text for each path; nearly all are a single name, of which a table can have thousands. */
function keyOf(path: readonly string[]): string {
  return path.length === 1 ? `.${path[0]}` : JSON.stringify(path);
}

function hasPrefixIn(path: readonly string[], wanted: ReadonlyMap<string, readonly string[]>): boolean {
  for (let length = 1; length < path.length; length++)
    if (wanted.has(keyOf(path.slice(0, length)))) return true;
  return false;
}
