/** Types as statements write them. */
import type { TypeName } from 'libpg-query';
import { parseStatements } from '../parser/parse.ts';
import { TYPE } from '../system/types.ts';
import { bindError } from './errors.ts';
import type { BindContext } from './context.ts';
import { namesOf } from './node-names.ts';
import { arrayOf } from './type-facts.ts';

export interface NamedType {
  readonly type: number;
  readonly modifier: number;
}

function modifierOf(type: number, numbers: readonly number[]): number {
  const [first, second = 0] = numbers;
  if (first === undefined) return -1;
  if (type === TYPE.varchar || type === TYPE.bpchar) return first + 4;
  if (type === TYPE.numeric) return ((first << 16) | (second & 0x7ff)) + 4;
  return first;
}

/** @throws BindError 42704 where there is no such type */
export function bindTypeName(context: BindContext, name: TypeName): NamedType {
  const parts = namesOf(name.names);
  const at = name.location ?? -1;
  const bare = parts.at(-1) ?? '';
  const schema = parts.at(-2) ?? null;
  const oid = context.names.typeOid(schema, bare);
  if (oid === null) {
    throw bindError('42704', `type "${schema === null ? '' : `${schema}.`}${bare}" does not exist`, at);
  }
  const numbers = (name.typmods ?? []).flatMap((node) =>
    'A_Const' in node && node.A_Const.ival !== undefined ? [node.A_Const.ival.ival ?? 0] : [],
  );
  const isArray = (name.arrayBounds ?? []).length > 0;
  // `character` without a length is character(1), which the parser writes; `bpchar` has none.
  const modifier = modifierOf(oid, numbers);
  return { type: isArray ? arrayOf(context.system, oid) : oid, modifier };
}

/** A type from its text, as `'integer[]'::regtype` has it; null: there is none. */
export function typeFromText(context: BindContext, text: string): NamedType | null {
  if (/[;()]{2}|--|\/\*/.test(text)) return null;
  try {
    const [node] = parseStatements(`SELECT NULL::${text}`);
    if (node === undefined || !('SelectStmt' in node)) return null;
    const [target] = node.SelectStmt.targetList ?? [];
    const value = target !== undefined && 'ResTarget' in target ? target.ResTarget.val : undefined;
    if (value === undefined || !('TypeCast' in value) || value.TypeCast.typeName === undefined) return null;
    return bindTypeName(context, value.TypeCast.typeName);
  } catch {
    return null;
  }
}
