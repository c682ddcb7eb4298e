/** Whole rows as JSON, by the alias of their table: PostgreSQL's `row_to_json(t)`, `to_jsonb(t)`, `json_agg(t)`. */
import { attributesByName, byUtf8 } from '../catalog/attributes.ts';
import { allKeyAttributes, type AttributeType, type CatalogTable } from '../catalog/table.ts';
import type { AstExpression, Identifier, Position } from '../parser/ast.ts';
import { plainCall } from '../parser/reader/function-calls.ts';
import type { ExpressionContext } from './context.ts';
import { invalid } from './errors.ts';
import { columnsNamed, relationsNamed } from './match-names.ts';
import type { Relation, Scope } from './scope.ts';

type Call = Extract<AstExpression, { readonly kind: 'FunctionCall' }>;

/** By whether they give a jsonb, whose names have an order of their own. */
const TAKERS: ReadonlyMap<string, boolean> = new Map([
  ['ROW_TO_JSON', false],
  ['TO_JSON', false],
  ['JSON_AGG', false],
  ['TO_JSONB', true],
  ['JSONB_AGG', true],
]);

interface Found {
  readonly relation: Relation;
  readonly scope: Scope;
}

/** The relation that a name means where no column has it. */
function relationOf(identifier: Identifier, innermost: Scope): Found | null {
  for (let scope: Scope | null = innermost; scope !== null; scope = scope.environment.outer) {
    if (columnsNamed(scope, identifier).length > 0) return null;
    const [relation, ...others] = relationsNamed(scope, null, identifier);
    if (relation !== undefined) return others.length === 0 ? { relation, scope } : null;
  }
  return null;
}

/** Types that were seen of an attribute, or that it has as a key. */
function typesOf(table: CatalogTable, name: string): readonly AttributeType[] {
  const seen = Object.keys(attributesByName(table.attributes).get(name)?.types ?? {}) as AttributeType[];
  if (seen.length > 0) return seen.filter((type) => type !== 'NULL');
  return allKeyAttributes(table).flatMap((key) => (key.name === name ? [key.type] : []));
}

const DOCUMENTS: ReadonlySet<AttributeType> = new Set(['M', 'L', 'SS', 'NS', 'BS']);
const TEXT = 'TEXT';

/** A column as the type that it is announced by: text where it has several, and bytes as their digits. */
function announced(column: AstExpression, table: CatalogTable, name: string, pos: Position): AstExpression {
  const types = new Set(typesOf(table, name).map((type) => (DOCUMENTS.has(type) ? 'M' : type)));
  const [only] = types;
  if (types.size === 1 && (only === 'N' || only === 'BOOL' || only === 'M')) return column;
  if (types.size !== 1 || only !== 'B')
    return { kind: 'Cast', operand: column, type: TEXT, tryCast: false, pos };
  const digits = plainCall('ENCODE', [column, { kind: 'StringLiteral', value: 'hex', pos }], pos);
  const prefix: AstExpression = { kind: 'StringLiteral', value: '\\x', pos };
  return { kind: 'Binary', operator: '||', left: prefix, right: digits, pos };
}

const named = (relation: Identifier, name: string, pos: Position): AstExpression => {
  const column: Identifier = { name, quoted: true, pos };
  const path = [relation, column].map((identifier) => ({ kind: 'Name', identifier }) as const);
  return { kind: 'Name', path, pos };
};

/** jsonb has shorter names first. */
const byLength = (a: string, b: string): number =>
  Buffer.byteLength(a) - Buffer.byteLength(b) || byUtf8(a, b);

function rowOf(
  argument: Extract<AstExpression, { readonly kind: 'Name' }>,
  isJsonb: boolean,
  { relation }: Found,
): AstExpression {
  const { pos } = argument;
  const [step] = argument.path;
  const qualifier = step?.kind === 'Name' ? step.identifier : { name: '', quoted: false, pos };
  const { names } = relation.index;
  const fields = (isJsonb ? names.toSorted(byLength) : names).flatMap((name): AstExpression[] => {
    const column = named(qualifier, name, pos);
    const value = relation.kind === 'TableRelation' ? announced(column, relation.table, name, pos) : column;
    return [{ kind: 'StringLiteral', value: name, pos }, value];
  });
  const row = plainCall('JSON_BUILD_OBJECT', fields, pos);
  if (relation.kind !== 'TableRelation') return row;
  // Of a row that an outer join did not find there is nothing, and its key is not there.
  const key = named(qualifier, relation.table.key.partitionKey.name, pos);
  const when: AstExpression = { kind: 'Is', operand: key, test: 'NULL', negated: true, pos };
  return { kind: 'Case', operand: null, branches: [{ when, then: row }], otherwise: null, pos };
}

/** The call, whose argument is a JSON object where it names a table. */
export function withWholeRow(node: Call, context: ExpressionContext): Call {
  const isJsonb = context.statement.isPostgresql ? TAKERS.get(node.name) : undefined;
  const [argument] = node.arguments;
  if (isJsonb === undefined || argument === undefined || node.arguments.length !== 1) return node;
  const [step] = argument.kind === 'Name' && argument.path.length === 1 ? argument.path : [];
  const found = step?.kind === 'Name' ? relationOf(step.identifier, context.scope) : null;
  if (argument.kind !== 'Name' || found === null) {
    if (node.name !== 'ROW_TO_JSON') return node;
    throw invalid(
      context,
      argument,
      'ROW_TO_JSON takes the alias of a table',
      'of other values: JSON_BUILD_OBJECT',
    );
  }
  if (found.relation.kind === 'ColumnsRelation' && found.scope.relations.length > 1)
    throw invalid(
      context,
      argument,
      'A whole row of a subquery that is joined cannot be taken',
      'name its columns: JSON_BUILD_OBJECT',
    );
  const name = node.name === 'ROW_TO_JSON' ? 'TO_JSON' : node.name;
  return { ...node, name, arguments: [rowOf(argument, isJsonb, found)] };
}
