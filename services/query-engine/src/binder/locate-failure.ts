/**
 * Where in the statement a value failed. DuckDB says what went wrong with a value, not in which expression of ours; but
 * few expressions of a statement can say so, often just one.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Expression } from '../logical/expression.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import { walkDeep } from '../logical/visit.ts';
import type { Position } from '../parser/ast.ts';
import { excerpt } from '../parser/source-text.ts';

type Suspect = (node: Expression) => boolean;

/** More places than these help nobody. */
const PLACES_MAX = 5;
const TEMPORAL: readonly string[] = ['DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMPTZ'];
const CAST_ADVICE = 'TRY_CAST gives NULL instead';

const calls =
  (...names: readonly string[]): Suspect =>
  (node) =>
    node.kind === 'FunctionCall' && names.includes(node.name);
const arithmetic =
  (operator: string): Suspect =>
  (node) =>
    node.kind === 'Arithmetic' && node.operator === operator;
const either =
  (...suspects: readonly Suspect[]): Suspect =>
  (node) =>
    suspects.some((suspect) => suspect(node));

const castTo =
  (types: readonly string[], value?: string): Suspect =>
  (node) => {
    if (node.kind !== 'Cast' || node.tryCast) return false;
    const { operand, sqlType } = node;
    if (!types.includes(sqlType === 'DECIMAL' ? 'DECIMAL(38,10)' : sqlType)) return false;
    // A constant that is another value is not to blame.
    const isOther =
      operand.kind === 'Literal' && operand.value.type === 'text' && operand.value.value !== value;
    return value === undefined || !isOther;
  };

const literalOf =
  (types: readonly string[], value: string): Suspect =>
  (node) =>
    node.kind === 'Literal' &&
    ((node.value.type === 'temporal' && types.includes(node.value.sqlType) && node.value.value === value) ||
      (node.value.type === 'interval' && types.includes('INTERVAL') && node.value.value === value));

/** Calls that have a number of theirs converted. */
const takesCount = calls(
  ...[
    'CHR',
    'REGEXP_EXTRACT',
    'ROUND',
    'TRUNC',
    'REPEAT',
    'LPAD',
    'RPAD',
    'SUBSTRING',
    'LEFT',
    'RIGHT',
    'SPLIT_PART',
  ],
  ...['MAKE_DATE', 'MAKE_TIMESTAMP', 'BIT_COUNT', 'GCD', 'LCM', 'FACTORIAL'],
);

const TYPE_NAMES: Readonly<Record<string, string>> = { BOOL: 'BOOLEAN', FLOAT: 'REAL' };
const typesNamed = (name = ''): readonly string[] => {
  const plain = TYPE_NAMES[name] ?? name;
  // A REAL is stored as a DOUBLE.
  return plain === 'DOUBLE' ? ['DOUBLE', 'REAL'] : [plain];
};

/** What DuckDB says, in our words, by which expressions can be meant. */
const SAID: readonly (readonly [says: RegExp, suspectOf: (found: RegExpExecArray) => Suspect])[] = [
  [
    /Could not convert string (['"])(.*)\1 to ([A-Z]+(?:\(\d+,\d+\))?)/s,
    ([, , value = '', type]) => either(castTo(typesNamed(type), value), literalOf(typesNamed(type), value)),
  ],
  [
    /for the destination type ([A-Z]+)/,
    ([, type]) =>
      type === 'INTEGER' || type === 'BIGINT' ? either(castTo([type]), takesCount) : castTo(typesNamed(type)),
  ],
  [/to type ([A-Z]+(?:\(\d+,\d+\))?) failed/, ([, type]) => castTo(typesNamed(type))],
  [
    /(?:timestamp|date|time) field (?:format|value out of range): "(.*?)"/,
    ([, value = '']) => either(castTo(TEMPORAL, value), literalOf(TEMPORAL, value)),
  ],
  [
    /Malformed JSON/,
    () =>
      either(
        castTo(['JSON']),
        (node) => node.kind === 'DocumentAccess' || /^(JSON_|ARRAY_|TO_JSON)/.test(nameOf(node)),
      ),
  ],
  [/according to format specifier/, () => calls('STRPTIME', 'TO_DATE', 'TO_TIMESTAMP')],
  [/a series of more than|the step of generate_series/, () => calls('SEQUENCE')],
  [/DECODE of/, () => calls('DECODE')],
  [/Failure in decode/, () => calls('CONVERT_FROM')],
  [/REGEXP_SPLIT_TO_ARRAY by/, () => calls('REGEXP_SPLIT_TO_ARRAY')],
  [/@>, <@ and && look/, () => calls('JSONB_CONTAINS', 'ARRAYS_OVERLAP')],
  [/square root/, () => calls('SQRT')],
  [/logarithm/, () => calls('LN', 'LOG', 'LOG2', 'LOG10')],
  [/Codepoint/, () => calls('CHR')],
  [/^Value out of range: Value out of range/, () => calls('FACTORIAL')],
  [/Date out of range/, () => calls('MAKE_DATE', 'MAKE_TIMESTAMP')],
  [/Epoch seconds/, () => calls('TO_TIMESTAMP')],
  [/Left-shift/, () => arithmetic('<<')],
  [/Overflow in multiplication/, () => arithmetic('*')],
  [/Overflow in addition/, () => arithmetic('+')],
  [/Overflow in subtraction/, () => arithmetic('-')],
  [
    /^Invalid value: (?:missing|invalid|bad|no argument|unexpected|trailing)/,
    () => (node) => nameOf(node).startsWith('REGEXP_'),
  ],
];

const nameOf = (node: Expression): string => (node.kind === 'FunctionCall' ? node.name : '');

/**
 * The error with its place, or the few places that it can be about, in its detail; or that the place cannot be told.
 * Errors that have a detail, and others than those of values, come back as they are.
 */
export function locateFailure(error: unknown, plan: LogicalPlan, sql: string): unknown {
  if (!(error instanceof PenstockError) || error.code !== 'EXECUTION_ERROR' || error.detail !== undefined)
    return error;
  const { code, message } = error;
  const places = placesOf(message, plan);
  const isCast = /^Conversion failed|Malformed JSON/.test(message);
  const what = isCast && places.some(({ kind }) => kind === 'Cast') ? `${message}; ${CAST_ADVICE}` : message;
  const [first] = places;
  if (first === undefined || places.length > PLACES_MAX) {
    const detail = `${message}; which part of the statement it is about cannot be told`;
    return new PenstockError(code, message, { detail });
  }
  if (places.length === 1) {
    const { pos } = first;
    const detail = `at line ${pos.line}, column ${pos.column}: ${what}\n${excerpt(sql, pos)}`;
    return new PenstockError(code, message, { detail });
  }
  const listed = places.map(({ pos }) => `line ${pos.line}, column ${pos.column}`).join(' or ');
  return new PenstockError(code, message, { detail: `at ${listed}: ${what}` });
}

interface Place {
  readonly pos: Position;
  readonly kind: Expression['kind'];
}

function placesOf(message: string, plan: LogicalPlan): readonly Place[] {
  const suspect = suspectOf(message);
  if (suspect === null) return [];
  const column = / when casting from source column (.+)$/.exec(message)?.[1];
  const places = new Map<number, Place>();
  let isComplete = true;
  walkDeep(plan, {
    expression: (node) => {
      if (!suspect(node) || isOfOtherColumn(node, column)) return;
      if (node.pos === undefined) isComplete = false;
      else places.set(node.pos.offset, { pos: node.pos, kind: node.kind });
    },
  });
  return isComplete ? [...places.values()].sort((a, b) => a.pos.offset - b.pos.offset) : [];
}

function suspectOf(message: string): Suspect | null {
  for (const [says, suspect] of SAID) {
    const found = says.exec(message);
    if (found !== null) return suspect(found);
  }
  return null;
}

/** A cast of a column by itself, where DuckDB names another one. */
const isOfOtherColumn = (node: Expression, column: string | undefined): boolean =>
  column !== undefined &&
  node.kind === 'Cast' &&
  (node.operand.kind === 'Literal' ||
    (node.operand.kind === 'ColumnReference' && node.operand.column.name !== column));
