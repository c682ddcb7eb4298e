import { dynamoValidation } from '../../errors.ts';
import type { Condition, Operand, Predicate } from '../expression/condition.ts';
import { typeOf, type Placeholders } from '../expression/placeholders.ts';
import { text, type AttributeValue } from '../input.ts';
import { compareScalars } from './scalar-order.ts';

const DISTINCT: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=', 'BETWEEN', 'IN']);
const ORDERED: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', 'BETWEEN']);
const SCALARS: ReadonlySet<string> = new Set(['S', 'N', 'B']);
const TYPES = ['B', 'NULL', 'SS', 'BOOL', 'L', 'BS', 'N', 'NS', 'S', 'M'];

/** Refuses operands that DynamoDB refuses whatever the items are: these depend on the literals alone. */
export function checkFilterOperands(
  parameter: string,
  condition: Condition,
  placeholders: Placeholders,
): void {
  for (const predicate of condition.predicates) {
    const problem =
      repeatedOperand(predicate, placeholders) ??
      unorderedOperand(predicate, placeholders) ??
      emptyRange(predicate, placeholders) ??
      unknownType(predicate, placeholders);
    if (problem !== undefined) throw dynamoValidation(`Invalid ${parameter}: ${problem}`);
  }
}

function repeatedOperand({ operator, operands }: Predicate, placeholders: Placeholders): string | undefined {
  const [first, ...rest] = operands.map((operand) => identity(operand, placeholders));
  if (!DISTINCT.has(operator) || first === undefined || !rest.includes(first)) return undefined;
  return `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${first}`;
}

function unorderedOperand({ operator, operands }: Predicate, placeholders: Placeholders): string | undefined {
  if (!ORDERED.has(operator)) return undefined;
  const wrong = literals(operands, placeholders).find((value) => !SCALARS.has(typeOf(value)));
  return (
    wrong &&
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${typeOf(wrong)}`
  );
}

function emptyRange({ operator, operands }: Predicate, placeholders: Placeholders): string | undefined {
  const [low, high] = literals(operands.slice(1), placeholders);
  if (operator !== 'BETWEEN' || low === undefined || high === undefined) return undefined;
  const bounds = `lower bound operand: AttributeValue: ${show(low)}, upper bound operand: AttributeValue: ${show(high)}`;
  if (typeOf(low) !== typeOf(high))
    return `The BETWEEN operator requires same data type for lower and upper bounds; ${bounds}`;
  if (compareScalars(low, high) > 0)
    return `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${bounds}`;
  return undefined;
}

function unknownType({ operator, operands }: Predicate, placeholders: Placeholders): string | undefined {
  if (operator !== 'attribute_type') return undefined;
  const [type] = literals(operands.slice(1), placeholders);
  const name = type && text(type, 'S');
  if (name === undefined || TYPES.includes(name)) return undefined;
  return `Invalid attribute type name found; type: ${name}, valid types: {${TYPES.join(',')}}`;
}

function literals(operands: readonly Operand[], placeholders: Placeholders): readonly AttributeValue[] {
  return operands.flatMap((operand) => {
    const value = operand.kind === 'value' ? placeholders.value(operand.name) : undefined;
    return value === undefined ? [] : [value];
  });
}

function identity(operand: Operand, placeholders: Placeholders): string | undefined {
  if (operand.kind !== 'path') return undefined;
  const path = operand.path.replace(/#[\w-]+/g, (name) => placeholders.name(name) ?? name);
  return `[${path.split('.').join(', ')}]`;
}

function show(value: AttributeValue): string {
  return `{${typeOf(value)}:${String(Object.values(value)[0])}}`;
}
