/** Operators and calls that mean something else in PostgreSQL, by what has their meaning here. */
import { parseExactJson } from '@penstock/common/json/exact-json.ts';
import type { AstExpression } from '../ast.ts';
import { isPartOfDocument } from '../document-part.ts';
import { plainCall } from '../reader/function-calls.ts';
import { asConcat } from './format-call.ts';
import { typeName } from './type-name.ts';

type Binary = Extract<AstExpression, { readonly kind: 'Binary' }>;
type Call = Extract<AstExpression, { readonly kind: 'FunctionCall' }>;
type Cast = Extract<AstExpression, { readonly kind: 'Cast' }>;

/** `x ^ y` is a power ("Mathematical Operators"). */
export const asPower = (node: Binary): AstExpression =>
  node.operator === '^' ? plainCall('POWER', [node.left, node.right], node.pos) : node;

/** Units whose first year is the one after a whole hundred: 2001 begins a century. */
const AFTER_A_HUNDRED: ReadonlySet<string> = new Set(['CENTURY', 'MILLENNIUM']);

/** `date_trunc('century', x)` begins at 2001, a year after what DuckDB takes for it. */
function truncated(call: Call): AstExpression {
  const [unit, time] = call.arguments;
  if (unit?.kind !== 'StringLiteral' || !AFTER_A_HUNDRED.has(unit.value.toUpperCase()) || time === undefined)
    return call;
  const { pos } = call;
  const shifted = (operator: '-' | '+', left: AstExpression): AstExpression => ({
    ...{ kind: 'Binary', operator, left, pos },
    right: { kind: 'IntervalLiteral', value: '1', unit: 'YEAR', pos },
  });
  return shifted('+', { ...call, arguments: [unit, shifted('-', time)] });
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'varchar']);
const FLOAT_TYPES: ReadonlySet<string> = new Set(['float4', 'float8']);

/** Whether it is of a float type, as far as the statement itself says. */
function isFloat(node: AstExpression): boolean {
  switch (node.kind) {
    case 'Cast':
      return FLOAT_TYPES.has(typeName(node.type));
    case 'Unary':
      return isFloat(node.operand);
    case 'Binary':
      return isFloat(node.left) || isFloat(node.right);
    case 'FunctionCall':
      return node.arguments.some(isFloat);
    default:
      return false;
  }
}

/** What the call is by its name here; the call itself where that is the same. */
export function byItsName(call: Call): AstExpression {
  const { name, arguments: operands, pos } = call;
  switch (name) {
    case 'FORMAT':
      return asConcat(call);
    case 'TO_HEX':
      return plainCall('LOWER', [call], pos);
    case 'SHA256':
      return plainCall('DECODE', [call, { kind: 'StringLiteral', value: 'hex', pos }], pos);
    case 'ROUND':
      // Halves of `numeric` go away from zero, those of floats to the even number.
      return operands.length === 1 && operands.some(isFloat) ? plainCall('RINT', operands, pos) : call;
    case 'DATE_TRUNC':
      return operands.length === 2 ? truncated(call) : call;
    default:
      return call;
  }
}

/**
 * A cast of or to a document: a part of one is one, whose texts are no JSON, and a constant has no spaces between its parts, which are
 * none of its value.
 */
export function ofDocument(cast: Cast): AstExpression {
  const { operand, type } = cast;
  const isPart = isPartOfDocument(operand);
  if (isPart && /^JSONB?$/i.test(type)) return operand;
  // A text in a document has quotes as text, too.
  if (isPart && TEXT_TYPES.has(typeName(type)))
    return { ...cast, operand: plainCall('TO_JSON', [operand], cast.pos) };
  if (type.toUpperCase() !== 'JSONB' || operand.kind !== 'StringLiteral') return cast;
  const value = compact(operand.value);
  return value === null || value === operand.value ? cast : { ...cast, operand: { ...operand, value } };
}

/** Null where the text is no JSON, which the cast says. */
function compact(text: string): string | null {
  try {
    return JSON.stringify(parseExactJson(text));
  } catch {
    return null;
  }
}
