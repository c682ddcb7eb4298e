/**
 * Decides what `a.b[0].c` means: which leading names qualify (an alias, a table, schema and table), which one is the
 * column, and which steps select within it.
 *
 * A relation that is visible is meant before any attribute: in `orders.customer`, `orders` is the relation of an outer query
 * although an inner one has a column `orders`, as in standard SQL, which knows no paths. Of relations the innermost, and the
 * longest qualifier, win; without one the innermost scope that has the column. A name that no scope knows is an error,
 * except that a quoted one is read from the one table it can belong to just as it is spelled, and so is any name of a table
 * of which no item has been sampled (../../README.md, "Names").
 */
import { nearestNames } from '@penstock/common/text/nearest-names.ts';
import { nestedAttributes } from '../catalog/attributes.ts';
import type { Attribute } from '../catalog/table.ts';
import { isOpen, relationName } from '../catalog/index-relation.ts';
import { toldBy } from '../catalog/segment-relation.ts';
import { foldCase, matchesOf, positionsOf } from '../catalog/name-index.ts';
import { columnReference, expression, functionCall } from '../logical/build-expression.ts';
import type { DocumentStep, Expression } from '../logical/expression.ts';
import type { Identifier, PathStep, Position } from '../parser/ast.ts';
import type { StatementContext } from './context.ts';
import { advice, didYouMean, statementError } from './errors.ts';
import { candidateName, columnsNamed, columnsOfRelation, relationsNamed, tablesOf } from './match-names.ts';
import type { Candidate } from './match-names.ts';
import { columnAt, pathText, scanColumn } from './scope.ts';
import type { Relation, Scope, TableRelation, Visible } from './scope.ts';

/** What a name means, and how a column of it is called. */
export interface Resolved {
  readonly expression: Expression;
  readonly name: string;
  /** Of a column, or of what lies in one: what lies below it, and whether it may be text, such as JSON. */
  readonly attribute?: {
    readonly mayBeText: () => boolean;
    /** Whether nothing but maps, lists and sets was seen there. */
    readonly isDocument: () => boolean;
    readonly below: (path: readonly DocumentStep[]) => Expression;
  };
}

/** Columns of an index that an error names. */
const PROJECTED_SHOWN_MAX = 20;

interface Names {
  readonly statement: StatementContext;
  readonly path: readonly PathStep[];
  readonly pos: Position;
}

const identifierAt = (path: readonly PathStep[], at: number): Identifier | null => {
  const step = path[at];
  return step?.kind === 'Name' ? step.identifier : null;
};

const shownPath = (path: readonly PathStep[]): string =>
  pathText(path.map((step) => (step.kind === 'Name' ? step.identifier.name : step.index)));

const ambiguous = (names: Names, candidates: readonly string[]): Error =>
  statementError(
    'AMBIGUOUS_NAME',
    `Ambiguous name: ${shownPath(names.path)}`,
    { sql: names.statement.sql, pos: names.pos },
    `it may be ${[...new Set(candidates)].map((name) => `"${name}"`).join(' or ')}; qualify it, or put the exact name in double quotes`,
  );

/** Steps below a column; names of maps that the sample has seen are matched, all others are as they are written. */
function documentSteps(
  names: Names,
  table: TableRelation | null,
  column: string,
  from: number,
): DocumentStep[] {
  let attributes = table === null ? [] : nestedAttributes(table.table.attributes, column);
  return names.path.slice(from).map((step) => {
    if (step.kind === 'Index') {
      attributes = [];
      return step.index;
    }
    const { identifier } = step;
    const fits = (name: string): boolean =>
      !identifier.quoted && foldCase(name) === foldCase(identifier.name);
    const exact = attributes.some(({ name }) => name === identifier.name);
    const folded = attributes.filter(({ name }) => fits(name)).map(({ name }) => name);
    if (!exact && folded.length > 1) throw ambiguous(names, folded);
    const name = exact ? identifier.name : (folded[0] ?? identifier.name);
    attributes = nestedAttributes(attributes, name);
    return name;
  });
}

/** The name of an output column: the last name of the path as stored. */
function shownName(column: string, steps: readonly DocumentStep[]): string {
  const last = steps.at(-1) ?? column;
  return typeof last === 'number' ? pathText([column, ...steps]) : last;
}

/** What lies at the steps from `from` on below an expression. */
function within(names: Names, base: Expression, column: string, from: number): Resolved {
  const steps = documentSteps(names, null, column, from);
  const name = shownName(column, steps);
  const at = (path: readonly DocumentStep[]): Expression =>
    path.length === 0
      ? { ...base, pos: names.pos }
      : expression({ kind: 'DocumentAccess', operand: base, path, pos: names.pos });
  const below = (path: readonly DocumentStep[]): Expression => at([...steps, ...path]);
  // What else it is, would be computed again for each of its parts.
  const attribute =
    base.kind === 'ColumnReference' ? { mayBeText: () => true, isDocument: () => false, below } : undefined;
  return { expression: at(steps), name, ...(attribute === undefined ? {} : { attribute }) };
}

function ofTable(names: Names, relation: TableRelation, attribute: string, from: number): Resolved {
  const steps = documentSteps(names, relation, attribute, from);
  const columnOf = (path: readonly DocumentStep[]): Expression =>
    columnReference(scanColumn(names.statement, relation, [attribute, ...steps, ...path]), names.pos);
  return {
    expression: columnOf([]),
    name: shownName(attribute, steps),
    attribute: {
      mayBeText: () => mayBeText(relation, [attribute, ...steps]),
      isDocument: () => isDocument(relation, [attribute, ...steps]),
      below: columnOf,
    },
  };
}

/** What the sample saw at a path; undefined where it saw nothing. */
function seenAt({ table }: TableRelation, path: readonly DocumentStep[]): Attribute | undefined {
  const [name, ...below] = path;
  const parents = below.length === 0 ? [] : path.slice(0, -1);
  const siblings = parents.reduce<readonly Attribute[]>(
    (attributes, step) => nestedAttributes(attributes, String(step)),
    table.attributes,
  );
  return siblings.find((attribute) => attribute.name === (path.at(-1) ?? name));
}

/** Whether text was seen at the path, or nothing of what is there is known. */
function mayBeText(relation: TableRelation, path: readonly DocumentStep[]): boolean {
  const found = seenAt(relation, path);
  return found === undefined || 'S' in found.types || Object.keys(found.types).length === 0;
}

const DOCUMENTS: ReadonlySet<string> = new Set(['M', 'L', 'SS', 'NS', 'BS']);

function isDocument(relation: TableRelation, path: readonly DocumentStep[]): boolean {
  const types = Object.keys(seenAt(relation, path)?.types ?? {}).filter((type) => type !== 'NULL');
  return types.length > 0 && types.every((type) => DOCUMENTS.has(type));
}

function atPosition(names: Names, relation: Relation, position: number, from: number): Resolved {
  const column = relation.index.names[position] ?? '';
  if (relation.kind === 'TableRelation') return ofTable(names, relation, column, from);
  return within(names, columnAt(names.statement, relation, position), column, from);
}

function ofCandidate(names: Names, candidate: Candidate, from: number): Resolved {
  if (candidate.kind === 'Column') {
    const { relation, position, called } = candidate;
    return called === undefined
      ? atPosition(names, relation, position, from)
      : within(names, columnAt(names.statement, relation, position), called, from);
  }
  return within(names, candidate.merged.expression, candidate.merged.name, from);
}

function onlyCandidate(names: Names, candidates: readonly Candidate[]): Resolved | null {
  if (candidates.length > 1) throw ambiguous(names, candidates.map(candidateName));
  const [candidate] = candidates;
  return candidate === undefined ? null : ofCandidate(names, candidate, 1);
}

/** True where any name may be an attribute: the sample has met no item. */
const isUnsampled = ({ table }: TableRelation): boolean => table.sampledItems === 0 && isOpen(table);

/** Other systems have text in double quotes. */
const textHint = ({ path }: Names, { name, quoted }: Identifier): string | undefined =>
  quoted && path.length === 1 ? `if text is meant, it is written '${name.replaceAll("'", "''")}'` : undefined;

function warnUnseen(names: Names, relation: TableRelation, identifier: Identifier): void {
  const hint = textHint(names, identifier);
  names.statement.warn(
    `attribute "${identifier.name}" of ${relationName(relation.table)} is in no sampled item; it is read as it is spelled` +
      (hint === undefined ? '' : `; ${hint}`),
  );
}

/** An attribute that nobody has seen, as it is spelled. */
function unseen(names: Names, relation: TableRelation, identifier: Identifier, from: number): Resolved {
  if (toldBy(relation.table, [identifier.name]) === null) warnUnseen(names, relation, identifier);
  return ofTable(names, relation, identifier.name, from);
}

/** `t.x` or `s.t.x` in one scope: the column, null when no such relation, or the relation that lacks the column. */
function qualified(names: Names, scope: Scope, qualifiers: 1 | 2): Resolved | Relation | null {
  const first = identifierAt(names.path, 0);
  const second = identifierAt(names.path, 1);
  const column = identifierAt(names.path, qualifiers);
  if (first === null || second === null || column === null) return null;
  const relations =
    qualifiers === 2 ? relationsNamed(scope, first, second) : relationsNamed(scope, null, first);
  const [relation] = relations;
  if (relation === undefined) return null;
  if (relations.length > 1) {
    throw ambiguous(
      names,
      relations.map(({ name, ...rest }) =>
        rest.kind === 'TableRelation' && rest.schemaName !== null
          ? `${rest.schemaName}.${name?.name ?? ''}`
          : (name?.name ?? ''),
      ),
    );
  }
  const positions = columnsOfRelation(relation, column);
  if (positions.length > 1) {
    throw ambiguous(
      names,
      positions.map((position) => relation.index.names[position] ?? ''),
    );
  }
  const [position] = positions;
  if (position !== undefined) return atPosition(names, relation, position, qualifiers + 1);
  const mayLie = relation.kind === 'TableRelation' && (column.quoted || isUnsampled(relation));
  if (mayLie && isOpen(relation.table)) {
    return unseen(names, relation, column, qualifiers + 1);
  }
  return relation;
}

function aliased(names: Names, scope: Scope, identifier: Identifier): Resolved | null {
  if (scope.aliases === null) return null;
  const { index, expressions } = scope.aliases;
  for (const match of matchesOf(identifier)) {
    const found = positionsOf(index, identifier.name, match).map(
      (position) => expressions[position] as Expression,
    );
    const [first] = found;
    if (first === undefined) continue;
    const { structureOf } = names.statement;
    if (found.some((other) => structureOf(other) !== structureOf(first)))
      throw ambiguous(names, [identifier.name]);
    return names.path.length === 1
      ? { expression: first, name: identifier.name }
      : within(names, first, identifier.name, 1);
  }
  return null;
}

/**
 * The tables of a scope that may hold an attribute nobody has seen, and which of them is meant. Of several tables
 * without a sample, the value is that of whichever has it.
 */
function unseenIn(names: Names, visible: Visible, identifier: Identifier): Resolved | null {
  const tables = tablesOf(visible).filter(({ table }) => isOpen(table));
  const [only] = tables;
  if (only === undefined) return null;
  if (identifier.quoted && tables.length === 1) return unseen(names, only, identifier, 1);
  const unsampled = tables.filter(isUnsampled);
  if (unsampled.length === 0) return null;
  const [first, ...others] = unsampled.map((table) => unseen(names, table, identifier, 1));
  if (first === undefined || others.length === 0) return first ?? null;
  const values = [first, ...others].map((resolved) => resolved.expression);
  return { expression: functionCall('COALESCE', values, names.pos), name: first.name };
}

function* scopesFrom(scope: Scope): Generator<Scope> {
  for (let at: Scope | null = scope; at !== null; at = at.environment.outer) yield at;
}

/** That an index has no other columns, and where they are. */
function closedHint(relation: Relation | undefined): string | undefined {
  if (relation?.kind !== 'TableRelation' || isOpen(relation.table)) return undefined;
  const { schemaName, tableName, entriesOf = '' } = relation.table;
  const { names } = relation.index;
  const more = names.length > PROJECTED_SHOWN_MAX ? `, … (${names.length} in all)` : '';
  const shown = names.slice(0, PROJECTED_SHOWN_MAX).join(', ') + more;
  return `index ${entriesOf} projects only ${shown}; read ${schemaName}.${tableName} for it`;
}

function notFound(names: Names, scope: Scope, lacking: Relation | null): Error {
  const { statement, path, pos } = names;
  const scopes = [...scopesFrom(scope)];
  const shown = shownPath(path);
  const wanted = identifierAt(path, lacking === null ? 0 : 1)?.name ?? shown;
  const known = (lacking === null ? scopes.flatMap(({ relations }) => relations) : [lacking]).flatMap(
    ({ index }) => index.names,
  );
  const suggestions = [
    ...nearestNames(wanted, known),
    // The qualifier may be what is misspelt.
    ...(path.length > 1 && lacking === null
      ? nearestNames(
          wanted,
          scopes.flatMap(({ relations }) => relations.map(({ name }) => name?.name ?? '')),
        )
      : []),
  ];
  const tables = scopes.flatMap(tablesOf);
  const identifier = identifierAt(path, 0);
  const closed = closedHint(lacking ?? (tables.length === 1 ? tables[0] : undefined));
  const hint =
    closed !== undefined
      ? closed
      : tables.length === 0 || (lacking !== null && lacking.kind !== 'TableRelation')
        ? undefined
        : identifier?.quoted === true && path.length === 1
          ? 'qualify it with its table to read an attribute that the sample has not seen'
          : 'an attribute that the sample has not seen can be read by its exact name in double quotes';
  return statementError(
    'COLUMN_NOT_FOUND',
    `Column not found: ${shown}`,
    { sql: statement.sql, pos },
    advice(
      didYouMean([...new Set(suggestions)]),
      hint,
      identifier === null ? undefined : textHint(names, identifier),
    ),
  );
}

/** A column or an output column of this scope, and what lies below it. */
const ofColumn = (names: Names, scope: Scope, identifier: Identifier): Resolved | null =>
  onlyCandidate(names, columnsNamed(scope, identifier)) ?? aliased(names, scope, identifier);

/**
 * What the path means in the scope.
 * @throws PenstockError COLUMN_NOT_FOUND with the nearest names, or AMBIGUOUS_NAME naming the candidates
 */
export function resolveName(
  statement: StatementContext,
  scope: Scope,
  path: readonly PathStep[],
  pos: Position,
): Resolved {
  const names: Names = { statement, path, pos };
  const first = identifierAt(path, 0);
  if (first === null)
    throw statementError('INVALID_QUERY', 'A name is expected', { sql: statement.sql, pos });
  for (const at of scopesFrom(scope)) {
    let lacking: Relation | null = null;
    for (const qualifiers of [2, 1] as const) {
      const found = qualified(names, at, qualifiers);
      if (found !== null && 'expression' in found) return found;
      lacking ??= found;
    }
    if (lacking === null) continue;
    const found = ofColumn(names, at, first);
    if (found !== null) return found;
    throw notFound(names, scope, lacking);
  }
  for (const at of scopesFrom(scope)) {
    const found = ofColumn(names, at, first);
    if (found !== null) return found;
  }
  for (const at of scopesFrom(scope)) {
    const found = unseenIn(names, at, first);
    if (found !== null) return found;
    if (tablesOf(at).length > 0) break;
  }
  throw notFound(names, scope, null);
}

/** A column of one side of a join, for USING: its candidate (null where nobody has seen it), value and name. */
export function resolveForJoin(
  statement: StatementContext,
  visible: Visible,
  identifier: Identifier,
): Resolved & { readonly candidate: Candidate | null } {
  const names: Names = { statement, path: [{ kind: 'Name', identifier }], pos: identifier.pos };
  const candidates = columnsNamed(visible, identifier);
  const found = onlyCandidate(names, candidates);
  if (found !== null) return { ...found, candidate: candidates[0] ?? null };
  const spelled = unseenIn(names, visible, identifier);
  if (spelled !== null) return { ...spelled, candidate: null };
  const scope: Scope = { ...visible, aliases: null, environment: { outer: null, ctes: [] } };
  throw notFound(names, scope, null);
}
