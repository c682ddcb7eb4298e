/** Predicates on items, slowly and from the definition of comparisons by value (SQL.md, "Types"). */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Expression, LiteralValue } from '../../src/logical/expression.ts';
import { compareDecimals, parseDecimal } from '../../src/dynamodb/decimal.ts';
import { openAttributeValue } from '../../src/dynamodb/decode/attribute-value.ts';
import { plainJson } from '../../src/dynamodb/decode/plain-json.ts';
import { scanColumn } from './fixtures.ts';

export type Item = Readonly<Record<string, AttributeValue>>;
type Truth = true | false | null;

/** Whether an item passes a predicate; columns are found by their names. */
export function passes(expression: Expression, item: Item): boolean {
  return truthOf(expression, item) === true;
}

function truthOf(expression: Expression, item: Item): Truth {
  const truth = (part: Expression) => truthOf(part, item);
  const compared = (left: Expression, operator: string, right: Expression) =>
    compare(left, operator, right, item);
  switch (expression.kind) {
    case 'Not':
      return negate(truth(expression.operand));
    case 'And':
      return every(expression.operands.map(truth));
    case 'Or':
      return some(expression.operands.map(truth));
    case 'Literal':
      return expression.value.type === 'boolean' ? expression.value.value : null;
    case 'IsNull':
      return (valueOf(expression.operand, item) === null) !== expression.negated;
    case 'Comparison':
      return compared(expression.left, expression.operator, expression.right);
    case 'Between': {
      const { operand, low, high, negated } = expression;
      const inside = every([compared(operand, '>=', low), compared(operand, '<=', high)]);
      return negated ? negate(inside) : inside;
    }
    case 'InList': {
      const any = some(expression.values.map((value) => compared(expression.operand, '=', value)));
      return expression.negated ? negate(any) : any;
    }
    case 'Like': {
      const value = valueOf(expression.operand, item);
      const pattern = expression.pattern;
      if (value === null || pattern.kind !== 'Literal' || pattern.value.type !== 'text') return null;
      const expected = new RegExp(`^${[...pattern.value.value].map(patternPart).join('')}$`, 'su');
      return expected.test(textOf(value)) !== expression.negated;
    }
    default:
      throw new Error(`no reference for ${expression.kind}`);
  }
}

const patternPart = (character: string) =>
  character === '%' ? '.*' : character === '_' ? '.' : character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
const negate = (truth: Truth): Truth => (truth === null ? null : !truth);
const every = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true;
const some = (truths: readonly Truth[]): Truth =>
  truths.includes(true) ? true : truths.includes(null) ? null : false;

function compare(left: Expression, operator: string, right: Expression, item: Item): Truth {
  if (left.kind === 'Literal') return compare(right, FLIPPED[operator] ?? operator, left, item);
  const value = valueOf(left, item);
  if (right.kind !== 'Literal') throw new Error('no reference for this comparison');
  if (value === null || right.value.type === 'null') return null;
  return test(operator, signOf(value, right.value));
}

const FLIPPED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function test(operator: string, sign: number | null): boolean {
  if (operator === '=') return sign === 0;
  if (operator === '<>') return sign !== 0;
  if (sign === null) return false;
  if (sign === 0) return operator.endsWith('=');
  return operator.startsWith('<') ? sign < 0 : sign > 0;
}

/** How a value compares with a constant; null where the two are not alike. */
function signOf(value: AttributeValue, literal: LiteralValue): number | null {
  const text = textOf(value);
  switch (literal.type) {
    case 'number':
      return compareNumbers(digitsOf(value), literal.text);
    case 'boolean':
      if (value.N !== undefined) return compareNumbers(value.N, literal.value ? '1' : '0');
      return compareTruths(truthIn(value), literal.value);
    case 'text':
      if (value.N !== undefined) return compareNumbers(value.N, literal.value);
      return value.BOOL === undefined
        ? compareTexts(text, literal.value)
        : compareTruths(value.BOOL, truthIn({ S: literal.value }));
    default:
      throw new Error('no reference for this literal');
  }
}

/** The number that a value is or spells, if it is one. */
function digitsOf({ N, S, BOOL }: AttributeValue): string {
  return N ?? S ?? (BOOL === undefined ? '' : BOOL ? '1' : '0');
}

function truthIn({ BOOL, S }: AttributeValue): boolean | null {
  if (BOOL !== undefined) return BOOL;
  if (/^(t|true|y|yes|1)$/i.test(S ?? '')) return true;
  return /^(f|false|n|no|0)$/i.test(S ?? '') ? false : null;
}

const compareTruths = (a: boolean | null, b: boolean | null) =>
  a === null || b === null ? null : Number(a) - Number(b);
const compareTexts = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function compareNumbers(left: string, right: string): number | null {
  const [a, b] = [parseDecimal(left.trim()), parseDecimal(right.trim())];
  return a === null || b === null ? null : compareDecimals(a, b);
}

function textOf(value: AttributeValue): string {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return value.N;
  if (value.B !== undefined) return Buffer.from(value.B).toString('base64');
  return plainJson(openAttributeValue(value));
}

/** Null for missing and for NULL. */
function valueOf(expression: Expression, item: Item): AttributeValue | null {
  if (expression.kind !== 'ColumnReference') throw new Error('no reference for this operand');
  const [name, ...below] = scanColumn(expression.column.name).path;
  let value: AttributeValue | undefined = item[String(name)];
  for (const step of below) value = typeof step === 'number' ? value?.L?.[step] : value?.M?.[step];
  return value === undefined || value.NULL === true ? null : value;
}
