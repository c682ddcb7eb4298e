/**
 * Whether `a = b AND a = 5` says `b = 5`. Values are compared by what the two sides are: numbers with a text as
 * numbers, anything with a truth value as truth values. So it depends on `a` and on the constant.
 */
import type { Attribute } from '../catalog/table.ts';
import type { LiteralValue } from '../logical/expression.ts';
import type { ColumnOrigin } from './column-origins.ts';

/** Texts that only a text equals: no digits, no signs, no words for truth values, dates or numbers. */
function isOnlyText(value: string): boolean {
  return (
    /^[A-Za-z_]/.test(value) &&
    !/^(t|f|y|n|true|false|yes|no|on|off|epoch|-?inf.*|nan.*)$/i.test(value.trim())
  );
}

function attributeAt({ table, column }: ColumnOrigin): Attribute | undefined {
  let attributes: readonly Attribute[] = table.attributes;
  let found: Attribute | undefined;
  for (const step of column.path) {
    found = attributes.find(({ name }) => name === step);
    attributes = found?.nested ?? [];
  }
  return found;
}

function keyTypeOf({ table, column }: ColumnOrigin): 'S' | 'N' | 'B' | null {
  const { partitionKey, sortKey } = table.key;
  const key = [partitionKey, sortKey].find((one) => column.path.length === 1 && one?.name === column.path[0]);
  return key?.type ?? null;
}

/** True when whatever equals a column of this origin, which equals the constant, equals the constant too. */
export function isTransferable(value: LiteralValue, origin: ColumnOrigin | null): boolean {
  if (value.type === 'text') return isOnlyText(value.value) || (origin !== null && keyTypeOf(origin) === 'S');
  if (value.type !== 'number' || origin === null) return false;
  // Were all values of `a` truth values, 5 and 1 would equal each of them that is TRUE, but not each other.
  if (keyTypeOf(origin) !== null) return keyTypeOf(origin) !== 'B';
  const types = attributeAt(origin)?.types ?? {};
  return (types.N ?? 0) + (types.S ?? 0) > 0;
}
