/**
 * Predicates on items, slowly and from the definition: comparisons are by value. Where the definition leaves room (a
 * number meets a text as text or as number, …) each reading is a world of its own, so that what a read returns can be
 * held against all of them.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Expression, LiteralValue } from '../../src/logical/expression.ts';
import { compareDecimals, parseDecimal } from '../../src/dynamodb/decimal.ts';
import { openAttributeValue } from '../../src/dynamodb/decode/attribute-value.ts';
import { plainJson } from '../../src/dynamodb/decode/plain-json.ts';
import { scanColumn } from './fixtures.ts';

export type Item = Readonly<Record<string, AttributeValue>>;
type Truth = true | false | null;

/** One consistent reading of what comparisons across types mean. */
interface World {
  readonly numberMeetsText: 'text' | 'number';
  readonly booleanMeetsOthers: 'number' | 'text' | 'never';
  readonly binaryMeetsOthers: 'text' | 'never';
}

const WORLDS: readonly World[] = (['text', 'number'] as const).flatMap((numberMeetsText) =>
  (['number', 'text', 'never'] as const).flatMap((booleanMeetsOthers) =>
    (['text', 'never'] as const).map((binaryMeetsOthers) => ({
      numberMeetsText,
      booleanMeetsOthers,
      binaryMeetsOthers,
    })),
  ),
);

/** Whether an item passes a predicate in any of the worlds; columns are found by their names. */
export function mayPass(expression: Expression, item: Item): boolean {
  return WORLDS.some((world) => truthOf(expression, item, world) === true);
}

function truthOf(expression: Expression, item: Item, world: World): Truth {
  const truth = (part: Expression) => truthOf(part, item, world);
  const compared = (left: Expression, operator: string, right: Expression) =>
    compare(left, operator, right, item, world);
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

function compare(left: Expression, operator: string, right: Expression, item: Item, world: World): Truth {
  if (left.kind === 'Literal') return compare(right, FLIPPED[operator] ?? operator, left, item, world);
  const value = valueOf(left, item);
  if (right.kind !== 'Literal') throw new Error('no reference for this comparison');
  const sign = value === null ? null : signOf(value, right.value, world);
  return sign === null ? null : test(operator, sign);
}

const FLIPPED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function test(operator: string, sign: number): boolean {
  if (operator === '=') return sign === 0;
  if (operator === '<>') return sign !== 0;
  if (sign === 0) return operator.endsWith('=');
  return operator.startsWith('<') ? sign < 0 : sign > 0;
}

/** How a value compares with a constant; null where it does not. */
function signOf(value: AttributeValue, literal: LiteralValue, world: World): number | null {
  const text = textOf(value);
  if (literal.type === 'null') return null;
  if (value.B !== undefined && world.binaryMeetsOthers === 'never') return null;
  if (literal.type === 'boolean') {
    if (value.BOOL !== undefined) return Number(value.BOOL) - Number(literal.value);
    if (world.booleanMeetsOthers === 'text') return compareTexts(text, String(literal.value));
    return world.booleanMeetsOthers === 'never' ? null : compareNumbers(text, literal.value ? '1' : '0');
  }
  if (literal.type !== 'number' && literal.type !== 'text') throw new Error('no reference for this literal');
  const constant = literal.type === 'number' ? literal.text : literal.value;
  if (value.BOOL !== undefined && world.booleanMeetsOthers !== 'text')
    return world.booleanMeetsOthers === 'never' ? null : compareNumbers(value.BOOL ? '1' : '0', constant);
  if (literal.type === 'number') return compareNumbers(text, constant);
  if (value.N !== undefined && world.numberMeetsText === 'number') return compareNumbers(text, constant);
  return compareTexts(text, constant);
}

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
