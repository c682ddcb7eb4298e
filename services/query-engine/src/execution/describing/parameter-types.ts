/** Types of parameters by what a statement does with them: where each stands, and what stands beside it. */
import type { AstExpression, AstQuery } from '../../parser/ast.ts';
import type { WideType } from '../../catalog/description.ts';
import { toldBy } from '../../catalog/segment-relation.ts';
import type { CatalogTable } from '../../catalog/table.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import type { LogicalPlan, ScanColumn } from '../../logical/plan.ts';
import { childrenOf, walkDeep } from '../../logical/visit.ts';
import { argumentKind } from '../../logical/functions/definition.ts';
import { scalarNamed } from '../../logical/functions/list.ts';
import { expectedType } from '../loading/expected-types.ts';
import { wideType } from './wide-type.ts';

type Call = Extract<Expression, { readonly kind: 'FunctionCall' }>;

const TEMPORAL_TYPES = Object.freeze({
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'timestamp',
  TIMESTAMPTZ: 'timestamptz',
} as const);

const CAST_TYPES: Readonly<Record<string, WideType>> = Object.freeze({
  TINYINT: 'int2',
  SMALLINT: 'int2',
  INTEGER: 'int4',
  BIGINT: 'int8',
  HUGEINT: 'numeric',
  DECIMAL: 'numeric',
  REAL: 'float4',
  DOUBLE: 'float8',
  BOOLEAN: 'boolean',
  BLOB: 'binary',
  JSON: 'json',
  INTERVAL: 'interval',
  ...TEMPORAL_TYPES,
});

function literalType(value: LiteralValue): WideType | null {
  switch (value.type) {
    case 'number':
      return 'numeric';
    case 'text':
    case 'boolean':
    case 'binary':
    case 'interval':
      return value.type;
    case 'temporal':
      return TEMPORAL_TYPES[value.sqlType];
    case 'null':
      return null;
  }
}

const castType = (sqlType: string): WideType | null => CAST_TYPES[sqlType.replace(/\(.*/, '')] ?? null;

/** What an expression is, as far as it can be told at a glance. */
function typeOf(node: Expression, columns: ReadonlyMap<number, () => WideType | null>): WideType | null {
  switch (node.kind) {
    case 'ColumnReference':
      return columns.get(node.column.id)?.() ?? null;
    case 'Literal':
      return literalType(node.value);
    case 'Cast':
      return castType(node.sqlType);
    case 'Arithmetic':
      if (node.operator === '||') return 'text';
      return 'numeric';
    case 'Negate':
    case 'BitwiseNot':
      return 'numeric';
    default:
      return null;
  }
}

/** What is known of columns, by their IDs: attributes by their samples, projections by what they project. */
function columnTypes(plan: LogicalPlan): ReadonlyMap<number, () => WideType | null> {
  const types = new Map<number, () => WideType | null>();
  const entering = new Set<number>();
  const ofAttribute = (table: CatalogTable, column: ScanColumn): WideType | null => {
    // What a row's place is compared with, is written as a text.
    if (toldBy(table, column.path) === 'ctid number') return 'text';
    const type = expectedType(table, column);
    return type.kind === 'null' || (type.kind === 'mixed' && !type.onlyNumbers)
      ? null
      : type.kind === 'integer'
        ? 'numeric'
        : wideType(type, type);
  };
  walkDeep(plan, {
    plan: (node) => {
      if (node.kind === 'TableScan')
        for (const column of node.columns) types.set(column.id, () => ofAttribute(node.table, column));
      if (node.kind !== 'Project') return;
      for (const { column, expression } of node.columns) {
        if (types.has(column.id)) continue;
        types.set(column.id, () => {
          if (entering.has(column.id)) return null;
          entering.add(column.id);
          const found = typeOf(expression, types);
          entering.delete(column.id);
          return found;
        });
      }
    },
  });
  return types;
}

/** The operands that have the type of each other, of an expression. */
function peersOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'Comparison':
      return [node.left, node.right];
    case 'Between':
      return [node.operand, node.low, node.high];
    case 'InList':
      return [node.operand, ...node.values];
    case 'Case':
      return node.operand === null
        ? [...node.branches.map(({ then }) => then), ...(node.otherwise === null ? [] : [node.otherwise])]
        : [node.operand, ...node.branches.map(({ when }) => when)];
    default:
      return [];
  }
}

/** What an expression makes of its operands, whatever they are. */
function wantedOf(node: Expression): WideType | null {
  switch (node.kind) {
    case 'Arithmetic':
      return node.operator === '||' ? 'text' : 'numeric';
    case 'Negate':
    case 'BitwiseNot':
      return 'numeric';
    case 'Like':
      return 'text';
    case 'And':
    case 'Or':
    case 'Not':
    case 'IsTruth':
      return 'boolean';
    case 'Cast':
      return castType(node.sqlType) ?? 'text';
    default:
      return null;
  }
}

/** Tells what a call takes for documents. */
function tellDocuments(call: Call, tell: (argument: Expression) => void): void {
  const definition = scalarNamed(call.name);
  for (const [i, argument] of call.arguments.entries())
    if (argumentKind(definition, i) === 'document') tell(argument);
}

/** Offsets in the text, of parameters by their places in the list of values. */
export interface ParameterPlaces {
  readonly byOffset: ReadonlyMap<number, number>;
  /** Those that count rows. */
  readonly limits: ReadonlySet<number>;
  /** Those that stand for lists. */
  readonly lists: ReadonlySet<number>;
  /** Those that are the character after ESCAPE. */
  readonly escapes: ReadonlySet<number>;
}

/** Where a statement names its parameters. The syntax tree is plain data: whatever a node holds is below it. */
export function parameterPlaces(query: AstQuery): ParameterPlaces {
  const byOffset = new Map<number, number>();
  const limits = new Set<number>();
  const lists = new Set<number>();
  const escapes = new Set<number>();
  const visit = (node: unknown, countsRows: boolean, isList = false): void => {
    if (typeof node !== 'object' || node === null) return;
    const found = node as Partial<Extract<AstExpression, { kind: 'Parameter' }>>;
    if (found.kind === 'Parameter') {
      if (found.index == null || found.pos === undefined) return;
      if (isList) lists.add(found.index);
      byOffset.set(found.pos.offset, found.index);
      if (countsRows) limits.add(found.index);
      return;
    }
    const kind = 'kind' in node ? node.kind : null;
    for (const [name, child] of Object.entries(node)) {
      if (kind === 'Like' && name === 'escape') noteEscape(child);
      const holdsList =
        (kind === 'QuantifiedList' && name === 'list') || (isList && kind === 'Cast' && name === 'operand');
      visit(child, countsRows || name === 'limit' || name === 'offset', holdsList);
    }
  };
  const noteEscape = (node: unknown): void => {
    const found = node as Partial<Extract<AstExpression, { kind: 'Parameter' }>> | null;
    if (found?.kind === 'Parameter' && found.index != null) escapes.add(found.index);
  };
  visit(query, false);
  return { byOffset, limits, lists, escapes };
}

/**
 * The types of so many parameters; null where nothing tells. `bound`: the statement as it is bound, with a NULL for each
 * of them.
 */
export function inferParameterTypes(
  { byOffset, limits }: ParameterPlaces,
  bound: LogicalPlan,
  count: number,
): readonly (WideType | null)[] {
  const columns = columnTypes(bound);
  const types: (WideType | null)[] = Array.from({ length: count }, (_, i) => (limits.has(i) ? 'int8' : null));
  const parameterOf = (node: Expression): number | undefined =>
    node.kind === 'Literal' && node.pos !== undefined ? byOffset.get(node.pos.offset) : undefined;
  const tell = (node: Expression, type: WideType | null): void => {
    const index = parameterOf(node);
    if (index !== undefined && index < count) types[index] ??= type;
  };
  walkDeep(bound, {
    expression: (node) => {
      const peers = peersOf(node);
      const known = peers.map((peer) => (parameterOf(peer) === undefined ? typeOf(peer, columns) : null));
      const type = known.find((one) => one !== null) ?? null;
      for (const peer of peers) tell(peer, type);
      const wanted = wantedOf(node);
      if (wanted !== null) for (const child of childrenOf(node)) tell(child, wanted);
      if (node.kind === 'FunctionCall') tellDocuments(node, (child) => tell(child, 'json'));
    },
  });
  return types;
}
