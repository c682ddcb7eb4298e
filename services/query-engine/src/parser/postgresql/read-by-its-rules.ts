/**
 * What PostgreSQL means by a statement, where that is not what we mean by it, written out in the tree: who speaks its
 * protocol is answered by its rules, and no later stage knows of them.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';
import type { AstExpression, AstQuery, AstSelectItem, AstSortKey } from '../ast.ts';
import { asJoined } from './array-calls.ts';
import { byCtid, keyByCtid } from './ctid.ts';
import { asPower, byItsName, ofDocument } from './other-names.ts';
import { outputName } from './output-name.ts';
import { isWholeDivision, wholeQuotient } from './whole-numbers.ts';

type Binary = Extract<AstExpression, { readonly kind: 'Binary' }>;
type Like = Extract<AstExpression, { readonly kind: 'Like' }>;
type Cast = Extract<AstExpression, { readonly kind: 'Cast' }>;
type Call = Extract<AstExpression, { readonly kind: 'FunctionCall' }>;

const isLike = (node: object): node is Like => 'kind' in node && node.kind === 'Like';
const isBinary = (node: object): node is Binary => 'kind' in node && node.kind === 'Binary';
const isCast = (node: object): node is Cast => 'kind' in node && node.kind === 'Cast';
const isCall = (node: object): node is Call => 'kind' in node && node.kind === 'FunctionCall';
const isSortKey = (node: object): node is AstSortKey => 'descending' in node && 'nulls' in node;
const isSelectItem = (node: object): node is AstSelectItem => 'alias' in node && 'text' in node;

/** LIKE without ESCAPE takes the backslash ("Pattern Matching"). */
const withEscape = (like: Like): Like =>
  like.escape === null
    ? { ...like, escape: { kind: 'StringLiteral', value: '\\', pos: like.pattern.pos } }
    : like;

/** NULL is above all values ("Sorting Rows"). */
const withNulls = (key: AstSortKey): AstSortKey =>
  key.nulls === null ? { ...key, nulls: key.descending ? 'FIRST' : 'LAST' } : key;

/** What has no alias is named by what computes it; a column that is named alone keeps its attribute's spelling. */
function withName(item: AstSelectItem): AstSelectItem {
  if (item.kind !== 'Expression' || item.alias !== null) return item;
  const { expression, pos } = item;
  if (expression.kind === 'Name' && expression.path.every(({ kind }) => kind === 'Name')) return item;
  return { ...item, alias: { name: outputName(expression), quoted: true, pos } };
}

function byRule(node: object): object {
  if (isLike(node)) return withEscape(node);
  if (isBinary(node)) return byCtid(isWholeDivision(node) ? wholeQuotient(node) : asPower(node));
  if (isSortKey(node)) return keyByCtid(withNulls(node));
  if (isCast(node)) return byCtid(ofDocument(node));
  if (!isCall(node)) return byCtid(node);
  const joined = asJoined(node);
  return joined === node ? byCtid(byItsName(node)) : joined;
}

/** The tree, from its leaves; what no rule changes stays the same. */
function rewritten(written: object): object {
  const node = isSelectItem(written) ? withName(written) : written;
  let parts: [string, unknown][] | null = null;
  for (const [place, [name, value]] of Object.entries(node).entries()) {
    if (typeof value !== 'object' || value === null || name === 'pos') continue;
    const made = rewritten(value as object);
    if (made !== value) (parts ??= Object.entries(node))[place] = [name, made];
  }
  if (Array.isArray(node)) return parts === null ? node : Object.freeze(parts.map(([, value]) => value));
  const whole: object = parts === null ? node : Object.fromEntries(parts);
  const made = byRule(whole);
  return made === written ? written : Object.freeze(made);
}

/** The statement, by PostgreSQL's rules. */
export const readByItsRules = remembered((query: AstQuery): AstQuery => rewritten(query) as AstQuery);
