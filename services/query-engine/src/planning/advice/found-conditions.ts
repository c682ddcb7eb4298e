/** What the conditions of a scan say of single attributes, as keys can be made of it. */
import type { CatalogTable, KeyAttribute } from '../../catalog/table.ts';
import { attributeOf, rejectsNull, type Condition } from '../../dynamodb/access-path/condition.ts';
import type { Literal } from '../../dynamodb/access-path/literal.ts';

export interface Said {
  readonly name: string;
  readonly literal: Literal;
}

/** What a condition says an attribute to equal. */
export function equalities(condition: Condition): readonly Said[] {
  if (condition.kind !== 'In' && (condition.kind !== 'Compare' || condition.operator !== '=')) return [];
  const name = attributeOf(condition.column);
  const literals = condition.kind === 'In' ? condition.literals : [condition.literal];
  return name === null ? [] : literals.map((literal) => ({ name, literal }));
}

/** What a condition narrows to a range that a sort key can be read by. */
export function ranges(condition: Condition): readonly Said[] {
  const name =
    condition.kind === 'Compare' || condition.kind === 'Prefix' ? attributeOf(condition.column) : null;
  if (name === null || !rejectsNull(condition, name)) return [];
  if (condition.kind === 'Prefix') return [{ name, literal: { type: 'text', value: condition.prefix } }];
  const isRange = condition.kind === 'Compare' && condition.operator !== '=' && condition.operator !== '<>';
  return isRange ? [{ name, literal: condition.literal }] : [];
}

const KEY_TYPES: Readonly<Partial<Record<Literal['type'], KeyAttribute['type']>>> = Object.freeze({
  text: 'S',
  number: 'N',
  binary: 'B',
});

/** Whether a constant can be looked up in a key of the type. */
export function fits({ type }: Literal, key: KeyAttribute['type']): boolean {
  return KEY_TYPES[type] === key || (type === 'text' && key !== 'S');
}

/** Attributes that an index could have as a key, each once: no other types were met in them than the constants'. */
export function keyable(said: readonly Said[], { attributes }: CatalogTable): readonly KeyAttribute[] {
  const keys = new Map<string, KeyAttribute>();
  for (const { name, literal } of said) {
    const type = KEY_TYPES[literal.type];
    const met = Object.keys(attributes.find((attribute) => attribute.name === name)?.types ?? {});
    if (type !== undefined && met.length > 0 && met.every((one) => one === type))
      keys.set(name, { name, type });
  }
  return [...keys.values()];
}

/** The attributes that a condition is about; null where it is about something else, too. */
export function attributesOf(condition: Condition): readonly string[] | null {
  switch (condition.kind) {
    case 'Never':
    case 'Always':
      return [];
    case 'Unknown':
      return null;
    case 'And':
    case 'Or': {
      const all = condition.operands.map(attributesOf);
      return all.some((one) => one === null) ? null : all.flatMap((one) => one ?? []);
    }
    default: {
      const name = attributeOf(condition.column);
      return name === null ? null : [name];
    }
  }
}
