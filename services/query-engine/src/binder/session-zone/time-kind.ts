/**
 * PostgreSQL's types of times: which expressions are times with a zone, and which are dates and times without one. The engine's
 * own types do not tell, since it reads the clock, and cuts times down, in UTC.
 */
import type { ColumnId, Expression } from '../../logical/expression.ts';
import { scalarNamed } from '../../logical/functions/list.ts';
import { outputColumns } from '../../logical/output.ts';

/** `zoned`: a `timestamptz`; `local`: a `timestamp` or a `date`. Null: no time, or the text of one. */
export type TimeKind = 'zoned' | 'local' | null;

/** Kinds of the columns of a statement, as far as it has been walked. */
export type ColumnKinds = ReadonlyMap<ColumnId, TimeKind>;

/** Functions that give a time with a zone, whatever they are given. */
const ZONED: ReadonlySet<string> = new Set(['CURRENT_TIMESTAMP', 'TO_TIMESTAMP']);
/** Functions whose result is of the kind of an argument, by its place. */
const LIKE_ARGUMENT: ReadonlyMap<string, number> = new Map([
  ...[['DATE_TRUNC', 1] as const, ['DATE_BIN', 1] as const],
  ...[['DATE_ADD', 0] as const, ['DATE_SUB', 0] as const, ['NULLIF', 0] as const],
]);
/** Functions that give one of their arguments. */
export const CHOICES: ReadonlySet<string> = new Set(['COALESCE', 'GREATEST', 'LEAST', 'IF']);

/** The kind that values of several kinds come together in. */
export const commonKind = (kinds: readonly TimeKind[]): TimeKind =>
  kinds.find((kind) => kind === 'zoned') ?? kinds.find((kind) => kind === 'local') ?? null;

const OF_TYPE: Readonly<Record<string, TimeKind>> = Object.freeze({
  TIMESTAMPTZ: 'zoned',
  TIMESTAMP: 'local',
  DATE: 'local',
});

/** Tells kinds of expressions, each once: chains of them would else be gone through again at each of their steps. */
export function timeKinds(columns: ColumnKinds): (node: Expression) => TimeKind {
  const known = new Map<Expression, TimeKind>();
  const of = (node: Expression): TimeKind => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const kind = timeKind(node, columns, of);
    known.set(node, kind);
    return kind;
  };
  return of;
}

function timeKind(node: Expression, columns: ColumnKinds, of: (one: Expression) => TimeKind): TimeKind {
  switch (node.kind) {
    case 'ColumnReference':
      return columns.get(node.column.id) ?? null;
    case 'Literal':
      return node.value.type === 'temporal' ? (OF_TYPE[node.value.sqlType] ?? null) : null;
    case 'Cast':
      return OF_TYPE[node.sqlType] ?? null;
    case 'Arithmetic': {
      if (node.operator !== '+' && node.operator !== '-') return null;
      const [left, right] = [of(node.left), of(node.right)];
      // Of two times, the difference is none.
      return left !== null && right !== null ? null : (left ?? right);
    }
    case 'Case':
      return commonKind([
        ...node.branches.map(({ then }) => of(then)),
        ...(node.otherwise === null ? [] : [of(node.otherwise)]),
      ]);
    case 'ScalarSubquery': {
      const [column] = outputColumns(node.plan);
      return column === undefined ? null : (columns.get(column.id) ?? null);
    }
    case 'FunctionCall':
      return ofCall(node.name, node.arguments, of);
    default:
      return null;
  }
}

function ofCall(name: string, values: readonly Expression[], of: (one: Expression) => TimeKind): TimeKind {
  if (ZONED.has(name)) return 'zoned';
  if (name === 'TIMEZONE') return values[1] !== undefined && of(values[1]) === 'local' ? 'zoned' : 'local';
  if (CHOICES.has(name)) return commonKind(values.map(of));
  const like = values[LIKE_ARGUMENT.get(name) ?? values.length];
  if (like !== undefined && of(like) !== null) return of(like);
  if (name === 'NULLIF') return null;
  const { result } = scalarNamed(name);
  return result === 'date' || result === 'timestamp' ? 'local' : null;
}
