/** Values for `?`, `$n` and `:name`: they become literals when the statement is bound. */
import { shortened } from '@penstock/common/errors/shortened.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { LiteralValue } from '../logical/expression.ts';
import type { Position } from '../parser/ast.ts';
import { PARSER_LIMITS } from '../parser/limits.ts';
import { statementError } from './errors.ts';

/** Values by place (from 0) or by name; `lists`: those that are lists, which have NULL among the values. */
export type Parameters =
  | { readonly kind: 'None' }
  | {
      readonly kind: 'Positional';
      readonly values: readonly LiteralValue[];
      readonly lists?: ReadonlyMap<number, readonly LiteralValue[]>;
    }
  | { readonly kind: 'Named'; readonly values: ReadonlyMap<string, LiteralValue> };

/** Parameters that one error names, and how much of each name. */
const MAX_SHOWN = 5;
const MAX_SHOWN_BYTES = 100;

export const NO_PARAMETERS: Parameters = Object.freeze({ kind: 'None' });

/** A number as the JSON text has it, kept apart from strings while JSON.parse runs. */
class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function keepDigits(_key: string, value: unknown, ...rest: readonly unknown[]): unknown {
  if (typeof value !== 'number') return value;
  const source = (rest[0] as { readonly source?: string } | undefined)?.source;
  return new NumberText(source ?? String(value));
}

function literalOf(value: unknown, what: string): LiteralValue {
  if (value === null) return { type: 'null' };
  if (value instanceof NumberText) return { type: 'number', text: value.text };
  if (typeof value === 'string') return { type: 'text', value };
  if (typeof value === 'boolean') return { type: 'boolean', value };
  throw new PenstockError('VALIDATION_ERROR', `parameter ${what} must be a string, number, boolean or null`);
}

const NULL: LiteralValue = Object.freeze({ type: 'null' });

function checkCount(count: number): void {
  if (count <= PARSER_LIMITS.tokensMax) return;
  throw new PenstockError(
    'VALIDATION_ERROR',
    `parameters must have at most ${PARSER_LIMITS.tokensMax} values, not ${count}`,
  );
}

/**
 * Reads parameters from JSON text: an array for `?` and `$n`, an object for `:name`, or empty text for none. Numbers
 * keep every digit.
 * @throws PenstockError VALIDATION_ERROR when it is anything else, or more values than a statement has tokens
 */
export function parseParameters(json: string): Parameters {
  if (json.trim() === '') return NO_PARAMETERS;
  let read: unknown;
  try {
    read = JSON.parse(json, keepDigits);
  } catch (cause) {
    throw new PenstockError('VALIDATION_ERROR', 'parameters must be JSON', { cause });
  }
  if (Array.isArray(read)) {
    checkCount(read.flat().length);
    const values = read.map((value, index) =>
      Array.isArray(value) ? NULL : literalOf(value, `${index + 1}`),
    );
    const lists = read.flatMap((value, index) =>
      Array.isArray(value) ? [[index, value.map((one) => literalOf(one, `${index + 1}`))] as const] : [],
    );
    return { kind: 'Positional', values, ...(lists.length === 0 ? {} : { lists: new Map(lists) }) };
  }
  if (typeof read === 'object' && read !== null && !(read instanceof NumberText)) {
    const given = Object.entries(read);
    checkCount(given.length);
    const entries = given.map(([name, value]) => [name, literalOf(value, name)] as const);
    return { kind: 'Named', values: new Map(entries) };
  }
  throw new PenstockError('VALIDATION_ERROR', 'parameters must be a JSON array or object');
}

/** Where a statement names a parameter. */
interface NamedParameter {
  readonly name: string | null;
  readonly index: number | null;
  readonly pos: Position;
}

/** Hands out values while a statement is bound, and sees which are never asked for. All throw PenstockError INVALID_QUERY. */
export interface ParameterReader {
  /** The value of a parameter, which must be given and be no list. */
  take(parameter: NamedParameter): LiteralValue;
  /** The values of a parameter that stands for a list; of a NULL that alone, null for any other value. */
  takeList(parameter: NamedParameter): readonly LiteralValue[] | null;
  /** Names values that the statement has no place for. */
  checkAllTaken(): void;
}

/** The value given for a name or a place; undefined where none was. */
export function parameterValue(
  parameters: Parameters,
  key: string | number | null,
): LiteralValue | undefined {
  if (parameters.kind === 'Positional' && typeof key === 'number') return parameters.values[key];
  if (parameters.kind === 'Named' && typeof key === 'string') return parameters.values.get(key);
  return undefined;
}

/** The names or places that values were given for. */
export function parameterKeys(parameters: Parameters): readonly (string | number)[] {
  return parameters.kind === 'None' ? [] : [...parameters.values.keys()];
}

const LIST_ADVICE = 'a list stands behind an operator with ANY or ALL: = ANY ($1)';

export function parameterReader(parameters: Parameters, sql: string): ParameterReader {
  const taken = new Set<string | number>();
  const lists = parameters.kind === 'Positional' ? parameters.lists : undefined;
  const valueOf = ({ name, index, pos }: NamedParameter): LiteralValue => {
    const key = name ?? index;
    const value = parameterValue(parameters, key);
    if (value === undefined || key === null) {
      const shown = name === null ? `$${(index ?? 0) + 1}` : `:${name}`;
      const how =
        name === null ? 'give parameters as an array' : 'give parameters as an object with this name';
      throw statementError('INVALID_QUERY', `No value for parameter ${shown}`, { sql, pos }, how);
    }
    taken.add(key);
    return value;
  };
  return {
    take(parameter) {
      const { index, pos } = parameter;
      if (index === null || lists?.has(index) !== true) return valueOf(parameter);
      throw statementError('INVALID_QUERY', `Parameter $${index + 1} is a list`, { sql, pos }, LIST_ADVICE);
    },
    takeList(parameter) {
      const { index } = parameter;
      const value = valueOf(parameter);
      const list = index === null ? undefined : lists?.get(index);
      return list ?? (value.type === 'null' ? [value] : null);
    },
    checkAllTaken() {
      const extra = parameterKeys(parameters).filter((key) => !taken.has(key));
      if (extra.length === 0) return;
      const names = extra
        .slice(0, MAX_SHOWN)
        .map((key) => (typeof key === 'number' ? `$${key + 1}` : `:${shortened(key, MAX_SHOWN_BYTES)}`));
      const more = extra.length - names.length;
      const shown = `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
      throw new PenstockError('INVALID_QUERY', `Parameters that the statement does not use: ${shown}`, {
        detail: `the statement does not use ${shown}; leave them out`,
      });
    },
  };
}
