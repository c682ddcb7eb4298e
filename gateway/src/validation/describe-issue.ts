import { shortened } from '@penstock/common/errors/shortened.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** At most so many problems are told at once. */
const ISSUES_SHOWN_MAX = 5;
/** Of a name that the caller chose. */
const NAME_BYTES_MAX = 200;

const TYPES: Readonly<Record<string, string>> = Object.freeze({
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
});

/** `options.maxRows`, `tableAllowlist[3]`; what holds everything is called by its own name. */
function fieldName(path: readonly PropertyKey[], whole: string): string {
  const text = path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name === '' ? String(part) : `${name}.${String(part)}`,
    '',
  );
  return text === '' ? whole : shortened(text, NAME_BYTES_MAX);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[part] : undefined,
    value,
  );
}

/** What a value of this origin is counted in. */
function bound(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  const [word, limit] = issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum];
  if (issue.origin === 'string') return `must have ${word} ${limit} characters`;
  if (issue.origin === 'array') return `must have ${word} ${limit} items`;
  return `must be ${word} ${limit}`;
}

function predicate(issue: Issue, given: unknown): string {
  if (issue.message.startsWith('must ')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return given === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return given === undefined ? 'is required' : `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1 ? 'must not be empty' : bound(issue);
    case 'too_big':
      return bound(issue);
    default:
      return `is not valid`;
  }
}

function describe(issue: Issue, given: unknown, whole: string): string {
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, ISSUES_SHOWN_MAX).map((key) => fieldName([...issue.path, key], whole));
    return `Unknown ${whole === 'The body' ? 'field' : 'parameter'}: ${names.join(', ')}`;
  }
  return `${fieldName(issue.path, whole)} ${predicate(issue, valueAt(given, issue.path))}`;
}

/**
 * Checks a value from outside. A schema's own message beginning with `must` is told after the field's name; every other
 * problem has its words here.
 *
 * @throws PenstockError VALIDATION_ERROR naming each field that is missing, wrong or unknown
 */
export function validate<S extends z.ZodType>(schema: S, given: unknown, whole = 'The body'): z.output<S> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const described = result.error.issues
    .slice(0, ISSUES_SHOWN_MAX)
    .map((issue) => describe(issue, given, whole));
  throw new PenstockError('VALIDATION_ERROR', described.join('; '));
}
