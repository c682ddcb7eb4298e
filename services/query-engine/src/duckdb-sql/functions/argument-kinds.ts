/** Arguments of a type that a function has no use for: refused by name, with what to write. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { argumentKind, type ArgumentKind, type ScalarFunction } from '../../logical/functions/definition.ts';
import { typeLabel, type SqlType, type Typed } from '../types/sql-type.ts';

/** What a kind of argument refuses. Kinds that are missing convert what they get, or refuse it there. */
interface Refusal {
  readonly types: ReadonlySet<SqlType['kind']>;
  readonly takes: string;
  readonly advice?: string;
}

const NO_DOCUMENTS: ReadonlySet<SqlType['kind']> = new Set([
  'integer',
  'decimal',
  'double',
  'boolean',
  'binary',
  'temporal',
]);

const REFUSED: Readonly<Partial<Record<ArgumentKind, Refusal>>> = Object.freeze({
  characters: {
    types: new Set<SqlType['kind']>(['json']),
    takes: 'text',
    advice:
      'for its elements write UNNEST, CONTAINS or ARRAY_TO_STRING; for its JSON text CAST(… AS VARCHAR)',
  },
  document: { types: NO_DOCUMENTS, takes: 'a map, list or set' },
  list: { types: NO_DOCUMENTS, takes: 'a list or set' },
  step: {
    types: new Set<SqlType['kind']>(['json', 'binary', 'boolean', 'temporal']),
    takes: 'a name, place or path',
  },
});

/** Throws TYPE_ERROR where the function cannot mean an argument of the type. */
export function checkArgumentKinds(definition: ScalarFunction, values: readonly Typed[]): void {
  for (const [index, { type }] of values.entries()) {
    const refused = REFUSED[argumentKind(definition, index)];
    if (refused === undefined || !refused.types.has(type.kind)) continue;
    const { takes, advice } = refused;
    const which = values.length === 1 ? '' : ` as argument ${index + 1}`;
    const message = `Type error: ${definition.name} takes ${takes}${which}, not ${typeLabel(type)}`;
    throw new PenstockError('TYPE_ERROR', advice === undefined ? message : `${message}; ${advice}`);
  }
}
