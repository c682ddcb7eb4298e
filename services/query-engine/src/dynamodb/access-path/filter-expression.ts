/**
 * Filter expressions. They save transfer, not units, so anything doubtful stays out: a pushed filter must let every item
 * pass that SQL's predicate lets pass. SQL compares by value (a number 1 matches '1', a text '2' is above 1), DynamoDB by
 * type, and any item may hold a type that no sample has seen: so each comparison lists the other types that may match.
 */
import type { AttributeType } from '../../catalog/table.ts';
import type { ScanColumn } from '../../logical/plan.ts';
import { decimalText, fitsDynamo, parseDecimal } from '../decimal.ts';
import type { AttributeValueJson, ExpressionText } from '../table-read.ts';
import { attributeOf, type CompareOperator, type Condition } from './condition.ts';
import { ExpressionNames } from './expression-text.ts';
import { expressionBytesMax, expressionOperatorsMax, inOperandsMax } from './limits.ts';
import { numericText, type Literal } from './literal.ts';

export interface FilterContext {
  /** Attributes that a filter may not name: the keys of the path of a Query. */
  readonly forbidden: ReadonlySet<string>;
  /** Attributes whose type is certain, e.g. the keys of the table or index that is read. */
  readonly proven: ReadonlyMap<string, AttributeType>;
}

/**
 * The conjuncts, as many as DynamoDB takes, in one expression; null where none can be pushed. Each is written once: what
 * does not fit any more is taken back.
 */
export function filterExpressionOf(
  conjuncts: readonly Condition[],
  context: FilterContext,
): ExpressionText | null {
  const out = new ExpressionNames();
  const taken: string[] = [];
  let [bytes, operators] = [0, 0];
  for (const conjunct of conjuncts) {
    const part = filterOf(conjunct, context, out);
    // Of several, each but the first follows an AND, and all are in brackets.
    const allBytes =
      part === null ? 0 : bytes + Buffer.byteLength(part) + (taken.length === 0 ? 0 : AND_BYTES);
    const brackets = taken.length === 0 ? 0 : BRACKET_BYTES;
    const allOperators = part === null ? 0 : operators + operatorsIn(part) + (taken.length === 0 ? 0 : 1);
    const fits = allBytes + brackets <= expressionBytesMax && allOperators <= expressionOperatorsMax;
    if (part === null || !fits) {
      out.drop();
      continue;
    }
    out.keep();
    taken.push(part);
    [bytes, operators] = [allBytes, allOperators];
  }
  return taken.length === 0 ? null : out.expression(joined(taken, ' AND '));
}

const AND_BYTES = ' AND '.length;
const BRACKET_BYTES = '()'.length;

function filterOf(condition: Condition, context: FilterContext, out: ExpressionNames): string | null {
  switch (condition.kind) {
    case 'Never':
    case 'Always':
    case 'Unknown':
      return null;
    case 'And': {
      // A part that cannot be pushed only makes the whole wider.
      const parts = condition.operands.map((operand) => filterOf(operand, context, out));
      const written = parts.filter((part) => part !== null);
      return written.length === 0 ? null : joined(written, ' AND ');
    }
    case 'Or': {
      const parts = condition.operands.map((operand) => filterOf(operand, context, out));
      return parts.some((part) => part === null) ? null : joined(parts as string[], ' OR ');
    }
    default: {
      const attribute = condition.column.path[0];
      if (typeof attribute !== 'string' || context.forbidden.has(attribute)) return null;
      const own = attributeOf(condition.column);
      const proven = own === null ? undefined : context.proven.get(own);
      if (proven !== undefined) return provenFilter(condition, proven, out);
      return condition.ofKey === true ? null : anyTypeFilter(condition, out);
    }
  }
}

type ColumnCondition = Extract<Condition, { readonly column: ScanColumn }>;

/** For an attribute that is always there, of one type. */
function provenFilter(condition: ColumnCondition, type: AttributeType, out: ExpressionNames): string | null {
  const path = out.path(condition.column.path);
  switch (condition.kind) {
    case 'IsNull':
      return null;
    case 'Prefix':
      return type === 'S' ? `begins_with(${path}, ${out.value({ S: condition.prefix })})` : null;
    case 'Compare':
    case 'In': {
      const values = literalsOf(condition).map((literal) => sameTypeValue(literal, type));
      if (values.length > inOperandsMax || values.some((value) => value === null)) return null;
      const tokens = (values as AttributeValueJson[]).map((value) => out.value(value));
      return condition.kind === 'In'
        ? `${path} IN (${tokens.join(', ')})`
        : `${path} ${condition.operator} ${tokens[0] ?? ''}`;
    }
  }
}

function sameTypeValue(literal: Literal, type: AttributeType): AttributeValueJson | null {
  if (type === 'S' && literal.type === 'text') return { S: literal.value };
  if (type === 'B' && literal.type === 'binary') return { B: literal.base64 };
  return type === 'N' && literal.type === 'number' ? numberValue(literal.text) : null;
}

/** For an attribute that may hold anything, or be missing. */
function anyTypeFilter(condition: ColumnCondition, out: ExpressionNames): string | null {
  const path = out.path(condition.column.path);
  const isType = (type: AttributeType) => `attribute_type(${path}, ${out.value({ S: type })})`;
  switch (condition.kind) {
    case 'IsNull':
      return condition.negated
        ? `attribute_exists(${path})`
        : `(attribute_not_exists(${path}) OR ${isType('NULL')})`;
    case 'Prefix':
      if (looksLikeDocument(condition.prefix)) return null;
      return joined(
        [`begins_with(${path}, ${out.value({ S: condition.prefix })})`, ...BY_TEXT.map(isType)],
        ' OR ',
      );
    case 'In':
      return equalsFilter(path, condition.literals, out, isType);
    case 'Compare': {
      const { operator, literal } = condition;
      if (operator === '=') return equalsFilter(path, [literal], out, isType);
      const value = literalValue(literal);
      if (value === null) return null;
      // What DynamoDB cannot compare fails the opposite too, and passes its NOT.
      if (condition.orUnlike && literal.type !== 'boolean')
        return `NOT ${path} ${OPPOSITE[operator]} ${out.value(value)}`;
      const compared = `${path} ${operator} ${out.value(value)}`;
      // DynamoDB's <> holds for all other types and for missing attributes: never narrower than SQL's.
      if (operator === '<>') return compared;
      if (literal.type === 'number') return joined([compared, ...BY_NUMBER.map(isType)], ' OR ');
      // Every type has a text, and texts have an order: only texts can be told apart here.
      if (literal.type === 'text') return `attribute_exists(${path}) AND (${compared} OR NOT ${isType('S')})`;
      return null;
    }
  }
}

const OPPOSITE: Readonly<Record<Exclude<CompareOperator, '='>, CompareOperator>> = Object.freeze({
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
});

/** Types besides N that may compare with a number, and besides S with a text that is no document. */
const BY_NUMBER: readonly AttributeType[] = ['S', 'BOOL', 'B'];
const BY_TEXT: readonly AttributeType[] = ['N', 'BOOL', 'B'];
const BY_BOOLEAN: readonly AttributeType[] = ['S', 'N', 'B'];

function equalsFilter(
  path: string,
  literals: readonly Literal[],
  out: ExpressionNames,
  isType: (type: AttributeType) => string,
): string | null {
  if (literals.length > inOperandsMax) return null;
  const values: AttributeValueJson[] = [];
  const types = new Set<AttributeType>();
  for (const literal of literals) {
    const value = literalValue(literal);
    if (value === null) return null;
    values.push(value);
    if (literal.type === 'number') for (const type of BY_NUMBER) types.add(type);
    if (literal.type === 'boolean') for (const type of BY_BOOLEAN) types.add(type);
    // A text may be its base64.
    if (literal.type === 'binary') types.add('S');
    if (literal.type !== 'text') continue;
    if (looksLikeDocument(literal.value)) return null;
    types.add('BOOL').add('B');
    const numeric = numericText(literal.value);
    const number = numeric === 'yes' ? numberValue(literal.value) : null;
    if (number !== null) values.push(number);
    else if (numeric !== 'no') types.add('N');
  }
  if (values.length > inOperandsMax) return null;
  return joined([...compareToAny(path, values, out), ...[...types].map(isType)], ' OR ');
}

/** `=` or IN; operands of one IN are of one type, and never BOOL, as its legacy form asks. */
function compareToAny(
  path: string,
  values: readonly AttributeValueJson[],
  out: ExpressionNames,
): readonly string[] {
  return (['S', 'N', 'B', 'BOOL'] as const).flatMap((type) => {
    const ofType = values.filter((value) => type in value);
    const tokens = [...new Set(ofType.map((value) => out.value(value)))];
    return tokens.length > 1 && type !== 'BOOL'
      ? [`${path} IN (${tokens.join(', ')})`]
      : tokens.map((token) => `${path} = ${token}`);
  });
}

function literalsOf(condition: Extract<ColumnCondition, { kind: 'Compare' | 'In' }>): readonly Literal[] {
  return condition.kind === 'In' ? condition.literals : [condition.literal];
}

function literalValue(literal: Literal): AttributeValueJson | null {
  switch (literal.type) {
    case 'number':
      return numberValue(literal.text);
    case 'text':
      return { S: literal.value };
    case 'boolean':
      return { BOOL: literal.value };
    case 'binary':
      return { B: literal.base64 };
  }
}

/** Null where DynamoDB cannot hold the number: what it would be rounded to is another one. */
function numberValue(text: string): AttributeValueJson | null {
  const decimal = parseDecimal(text);
  return decimal === null || !fitsDynamo(decimal) ? null : { N: decimalText(decimal) };
}

/** Maps, lists and sets compare by their JSON text. */
function looksLikeDocument(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function joined(parts: readonly string[], separator: ' AND ' | ' OR '): string {
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(separator)})`;
}

/** Comparisons, connectives and functions, as DynamoDB counts them (rather too many than too few). */
function operatorsIn(text: string): number {
  return text.match(/<>|[<>]=?|=|\bAND\b|\bOR\b|\bNOT\b|\bIN\b|\w\(|,/g)?.length ?? 0;
}
