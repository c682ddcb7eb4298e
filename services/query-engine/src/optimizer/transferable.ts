/**
 * Whether `a = b AND a = 5` says `b = 5`. Values are compared by what the two sides are, so equality is not transitive:
 * the text '0005' equals 5, and the bytes whose base64 it is; TRUE equals 1, and the text 'yes'. What the sample saw of an
 * attribute says nothing of the other items; only keys have a certain type.
 */
import { requiredAttributes } from '../catalog/index-relation.ts';
import { indexKeyAttributes } from '../catalog/table.ts';
import type { LiteralValue } from '../logical/expression.ts';
import type { ColumnOrigin } from './column-origins.ts';

/** Texts that only a text equals, or bytes: no digits, no signs, no words for truth values, dates or numbers. */
function isOnlyText(value: string): boolean {
  return (
    /^[A-Za-z_]/.test(value) &&
    !/^(t|f|y|n|true|false|yes|no|on|off|epoch|-?inf.*|nan.*)$/i.test(value.trim())
  );
}

/** A number that a truth value equals. */
const isTruthNumber = (text: string): boolean => Number(text) === 0 || Number(text) === 1;

/**
 * Of the table's own key, or a local index's: DynamoDB refuses items with another type of it. A global index may be younger
 * than items that it lacks, which hold any type there.
 */
export function keyTypeOf(origin: ColumnOrigin | null): 'S' | 'N' | 'B' | null {
  if (origin === null || origin.column.path.length !== 1) return null;
  const locals = origin.table.indexes.filter(({ global }) => !global);
  const parts = [
    ...requiredAttributes(origin.table),
    ...locals.flatMap(({ key }) => indexKeyAttributes(key)),
  ];
  return parts.find((one) => one.name === origin.column.path[0])?.type ?? null;
}

/** True when whatever equals a value of `from`, which equals the constant, equals the constant too. */
export function isTransferable(
  value: LiteralValue,
  from: ColumnOrigin | null,
  to: ColumnOrigin | null,
): boolean {
  const [type, toType] = [keyTypeOf(from), keyTypeOf(to)];
  if (value.type === 'text') return isOnlyText(value.value) || type === 'S';
  if (value.type !== 'number') return false;
  if (type === 'N' || toType === 'N') return true;
  return toType === 'S' && (type === 'S' || !isTruthNumber(value.text));
}
