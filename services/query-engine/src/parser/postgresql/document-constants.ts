/** `x -> 'name' = '"Ada"'`: a constant beside a part of a document is a document to PostgreSQL, and a text in it has quotes. */
import { parseExactJson } from '@penstock/common/json/exact-json.ts';
import type { AstExpression } from '../ast.ts';

type Binary = Extract<AstExpression, { readonly kind: 'Binary' }>;
type InList = Extract<AstExpression, { readonly kind: 'InList' }>;

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM']);

const isPart = (node: AstExpression): boolean =>
  node.kind === 'Binary' && (node.operator === '->' || node.operator === '#>');

/** The text that a constant spells as JSON; any other constant as it is. */
function spelled(node: AstExpression): AstExpression {
  if (node.kind !== 'StringLiteral' || !/^\s*"/.test(node.value)) return node;
  try {
    const value: unknown = parseExactJson(node.value);
    return typeof value === 'string' ? { ...node, value } : node;
  } catch {
    return node;
  }
}

export function besidePart(node: Binary): Binary {
  if (!COMPARISONS.has(node.operator)) return node;
  const { left, right } = node;
  if (isPart(left)) return { ...node, right: spelled(right) };
  return isPart(right) ? { ...node, left: spelled(left) } : node;
}

export const amongParts = (node: InList): InList =>
  isPart(node.operand) ? { ...node, values: node.values.map(spelled) } : node;
