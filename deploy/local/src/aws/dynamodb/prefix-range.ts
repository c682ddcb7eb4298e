import { SORT_KEY_BYTES_MAX } from '../limits.ts';
import { parseCondition, type Operand, type Predicate } from './expression/condition.ts';
import { placeholdersOf, typeOf } from './expression/placeholders.ts';
import { object, text, type Fields } from './input.ts';

/** The last character of UTF-8: no string is behind one that consists of it to the end of a key's length. */
const LAST_CHARACTER = '\u{10ffff}';

/**
 * A Query whose key condition asks for texts that begin with a prefix, as one that asks for the range of those texts.
 * DynamoDB compares the bytes of strings (Developer Guide, "Data types": strings are collated by their UTF-8 bytes); dynoxide
 * finds 'A' for 'a'.
 * @returns the same object where nothing is asked so
 */
export function withPrefixRange(operation: string, input: Fields): Fields {
  const expression = text(input, 'KeyConditionExpression');
  if (operation !== 'Query' || expression?.includes('begins_with') !== true) return input;
  const condition = parseCondition(expression);
  const prefix = condition?.predicates.find(({ operator }) => operator === 'begins_with');
  const low = prefix?.operands[1];
  if (!condition?.conjunctive || low?.kind !== 'value') return input;
  const value = placeholdersOf(input).value(low.name);
  if (value === undefined || typeOf(value) !== 'S') return input;
  const values = object(input, 'ExpressionAttributeValues');
  const high = unused(values);
  const ranged = condition.predicates.map((one) =>
    one === prefix
      ? { operator: 'BETWEEN', operands: [...one.operands, { kind: 'value' as const, name: high }] }
      : one,
  );
  return {
    ...input,
    KeyConditionExpression: ranged.map(written).join(' AND '),
    ExpressionAttributeValues: { ...values, [high]: { S: lastOf(text(value, 'S') ?? '') } },
  };
}

/** No string of a sort key's length that begins with the prefix is behind it. */
function lastOf(prefix: string): string {
  return prefix + LAST_CHARACTER.repeat(Math.ceil(SORT_KEY_BYTES_MAX / Buffer.byteLength(LAST_CHARACTER)));
}

function unused(values: Fields): string {
  let name = ':last';
  while (name in values) name += '_';
  return name;
}

function written({ operator, operands }: Predicate): string {
  const [first = '', ...others] = operands.map(operandText);
  return `${first} ${operator} ${others.join(' AND ')}`;
}

function operandText(operand: Operand): string {
  if (operand.kind === 'function') return `${operand.name}(${operand.operands.map(operandText).join(', ')})`;
  return operand.kind === 'path' ? operand.path : operand.name;
}
