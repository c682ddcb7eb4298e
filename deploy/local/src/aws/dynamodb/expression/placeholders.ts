import { isFields, object, type AttributeValue, type Fields } from '../input.ts';
import type { Condition, Operand } from './condition.ts';

/** Looks up the placeholders of a request's expressions. */
export interface Placeholders {
  /** The attribute a name or `#name` stands for; undefined when it is not given. */
  readonly name: (written: string) => string | undefined;
  readonly value: (written: string) => AttributeValue | undefined;
}

/** Reads `ExpressionAttributeNames` and `ExpressionAttributeValues`. */
export function placeholdersOf(input: Fields): Placeholders {
  const names = object(input, 'ExpressionAttributeNames');
  const values = object(input, 'ExpressionAttributeValues');
  return {
    name: (written) => {
      const name = written.startsWith('#') ? names[written] : written;
      return typeof name === 'string' ? name : undefined;
    },
    value: (written) => {
      const value = values[written];
      return isFields(value) ? value : undefined;
    },
  };
}

/** The type descriptor of a value: `S`, `N`, `B`, … */
export function typeOf(value: AttributeValue): string {
  return Object.keys(value)[0] ?? '';
}

/** Top-level attributes that a condition reads. */
export function attributesRead(condition: Condition, placeholders: Placeholders): readonly string[] {
  const roots = (operand: Operand): readonly string[] => {
    if (operand.kind === 'value') return [];
    if (operand.kind === 'function') return operand.operands.flatMap(roots);
    const name = placeholders.name(operand.root);
    return name === undefined ? [] : [name];
  };
  return condition.predicates.flatMap(({ operands }) => operands.flatMap(roots));
}

/** Top-level attributes that a projection expression names. */
export function attributesProjected(projection: string, placeholders: Placeholders): readonly string[] {
  return projection.split(',').flatMap((path) => {
    const root = /^\s*([#\w-]+)/.exec(path)?.[1];
    return (root !== undefined && placeholders.name(root)) || [];
  });
}
