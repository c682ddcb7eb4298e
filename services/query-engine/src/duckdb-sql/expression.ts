/** Bound expressions as DuckDB SQL, each with its type, so that what is around it can cast by value. */
import { WRITTEN_EXPRESSION_MAX } from '../limits.ts';
import type { Expression } from '../logical/expression.ts';
import { scalarNamed } from '../logical/functions/list.ts';
import { isCorrelated } from '../logical/references.ts';
import { visitExpression, type ExpressionVisitor } from '../logical/visit.ts';
import { EXPRESSION_LEVELS_MAX, PLANNING_WORK_MAX } from './limits.ts';
import { commonType } from './types/common-type.ts';
import { convertTo, toBoolean } from './types/convert.ts';
import { BOOLEAN, JSON_TYPE, NULL_TYPE, valueWithin, type SqlType, type Typed } from './types/sql-type.ts';
import { writeArithmetic, writeBitwiseNot, writeNegation } from './arithmetic.ts';
import { chainOf, writeChain } from './arithmetic-chain.ts';
import { boundedInput, boundedText, joined } from './bounded-text.ts';
import { writeCast } from './cast.ts';
import { compare, comparesAsStored, hashableEquality } from './comparison.ts';
import { refusingZero } from './by-zero.ts';
import { writeFunctionCall } from './functions/call.ts';
import { at } from './functions/writer.ts';
import { gatherEqualities } from './gather-equalities.ts';
import { isAmongConstants } from './in-list.ts';
import { keptApart, nullSafeSides } from './null-safe.ts';
import { documentText, jsonPointer, jsonText } from './json.ts';
import { writeLike } from './like.ts';
import { quoteText, writeLiteral } from './literal.ts';
import { placed } from './placed.ts';
import { writePart } from './part-of-time.ts';
import { planningWork, tooComplex, tooManyConversions } from './planning-work.ts';
import { existsAsValue, writeQuantified, type Quantified } from './quantified.ts';
import { compareRows } from './row-comparison.ts';
import { columnValue, type WriteScope } from './scope.ts';
import type { TextBudget } from './text-budget.ts';

type Write = (node: Expression) => Typed;

/** The operands of a chain of `||`, which is written as one. */
function partsJoined(node: Expression): readonly Expression[] {
  const parts: Expression[] = [];
  let left = node;
  for (; left.kind === 'Arithmetic' && left.operator === '||'; left = left.left) parts.push(left.right);
  return [left, ...parts.reverse()];
}

/** Lists, and lists with single elements, as one list; anything else as text. */
function concatenation(parts: readonly Typed[], budget: TextBudget): Typed {
  const isOfLists =
    parts.some(({ type }) => type.kind === 'json') &&
    parts.every(({ type }) => type.kind !== 'text' && type.kind !== 'mixed');
  if (!isOfLists) return joined(parts, budget);
  const [first, ...others] = parts.map(jsonText);
  const list = others.reduce((left, right) => `ps_list_joined(${left}, ${right})`, first ?? 'NULL');
  return { ...boundedText(list, budget), type: JSON_TYPE };
}

const condition = (sql: string): Typed => ({ sql, type: BOOLEAN });

function compareExpressions(
  operator: Parameters<typeof compare>[0],
  left: Expression,
  right: Expression,
  write: Write,
): string {
  if (left.kind !== 'Row' || right.kind !== 'Row' || left.values.length !== right.values.length) {
    return compare(operator, write(left), write(right));
  }
  return compareRows(
    operator,
    left.values.map((value, i) => [write(value), write(right.values[i] ?? value)] as const),
  );
}

function writeCase(node: Extract<Expression, { kind: 'Case' }>, write: Write): Typed {
  const { operand } = node;
  const results = node.branches.map((branch) => write(branch.then));
  const otherwise = node.otherwise === null ? null : write(node.otherwise);
  const type = commonType(
    [...results, ...(otherwise === null ? [] : [otherwise])].map((value) => value.type),
  );
  const whens = node.branches.map((branch, i) => {
    const when =
      operand === null
        ? toBoolean(write(branch.when)).sql
        : compareExpressions('=', operand, branch.when, write);
    return `WHEN ${when} THEN ${convertTo(results[i] ?? NULL_VALUE, type).sql}`;
  });
  const last = otherwise === null ? '' : ` ELSE ${convertTo(otherwise, type).sql}`;
  return { sql: `CASE ${whens.join(' ')}${last} END`, type };
}

/** Functions that make no text, or a short one, and read their arguments in no time. */
const READS_LITTLE: ReadonlySet<string> = new Set(
  'LENGTH OCTET_LENGTH STARTS_WITH ENDS_WITH ASCII CHR LEFT RIGHT TYPEOF JSON_ARRAY_LENGTH JSON_TYPE'.split(
    ' ',
  ),
);
/** Types that a cast makes another text of, of a document or bytes. */
const MADE_BY_CAST: ReadonlySet<string> = new Set(['VARCHAR', 'JSON', 'BLOB']);

/** Values that may be as long as an item: what is written of them was not bounded yet. */
function isStored(node: Expression): boolean {
  switch (node.kind) {
    case 'ColumnReference':
    case 'ScalarSubquery':
      return true;
    case 'Case':
      return [
        ...node.branches.map(({ then }) => then),
        ...(node.otherwise === null ? [] : [node.otherwise]),
      ].some(isStored);
    case 'FunctionCall':
      return PASSES_ON.has(node.name) && node.arguments.some(isStored);
    case 'Cast':
    case 'DocumentAccess':
      return isStored(node.operand);
    default:
      return false;
  }
}

/** Functions that answer one of their arguments, or part of one. */
const PASSES_ON: ReadonlySet<string> = new Set(
  'COALESCE NULLIF IF GREATEST LEAST LEFT RIGHT ELEMENT_AT JSON_EXTRACT JSON_EXTRACT_STRING JSON_GET JSON_EXTRACT_PATH JSON_EXTRACT_PATH_TEXT'.split(
    ' ',
  ),
);

const NULL_VALUE: Typed = Object.freeze({ sql: 'NULL', type: NULL_TYPE });

function writeInList(node: Extract<Expression, { kind: 'InList' }>, write: Write): string {
  const not = node.negated ? 'NOT ' : '';
  const operand = write(node.operand);
  const values = node.values.map(write);
  const plain =
    node.operand.kind !== 'Row' && values.every(({ type }) => comparesPlainly(operand.type, type));
  if (plain) return `(${operand.sql} ${not}IN (${values.map((value) => value.sql).join(', ')}))`;
  const constants = node.values.flatMap((value) => (value.kind === 'Literal' ? [value.value] : []));
  const among =
    constants.length === values.length && node.operand.kind !== 'Row'
      ? isAmongConstants(operand, constants)
      : null;
  if (among !== null) return `(${not}${among})`;
  const any = node.values.map((value) => compareExpressions('=', node.operand, value, write)).join(' OR ');
  return `(${not}(${any}))`;
}

function comparesPlainly(a: SqlType, b: SqlType): boolean {
  return (a.kind === b.kind || b.kind === 'null') && comparesAsStored(a, b);
}

/** The expression as SQL. Throws TYPE_ERROR where its types cannot meet. */
export function writeExpression(root: Expression, scope: WriteScope): Typed {
  let level = 0;
  const write: Write = (node) => {
    if (level >= EXPRESSION_LEVELS_MAX) throw tooComplex(node.pos);
    level++;
    const written = placed(node.pos, () => visitExpression(visitor, node));
    level--;
    if (written.sql.length > WRITTEN_EXPRESSION_MAX) throw tooComplex(node.pos);
    return written;
  };
  const { textBudget } = scope;
  /** A value that a function of texts works on. */
  const writeText: Write = (node) => (isStored(node) ? boundedInput(write(node), textBudget) : write(node));
  const bool = (node: Expression): string => toBoolean(write(node)).sql;
  const visitor: ExpressionVisitor<Typed> = {
    ColumnReference: (node) => columnValue(scope, node.column.id),
    Literal: (node) => writeLiteral(node.value),
    Comparison: (node) => condition(compareExpressions(node.operator, node.left, node.right, write)),
    Arithmetic: (node) => {
      if (node.operator === '||') return concatenation(partsJoined(node).map(writeText), textBudget);
      const { operator } = node;
      if (node.refusesZero === true)
        return refusingZero(write(node.left), write(node.right), (a, b) => writeArithmetic(operator, a, b));
      const chain = chainOf(node);
      return chain === null
        ? writeArithmetic(operator, write(node.left), write(node.right))
        : writeChain(chain.map((operand) => ({ operator: operand.operator, value: write(operand.node) })));
    },
    Negate: (node) => writeNegation(write(node.operand)),
    BitwiseNot: (node) => writeBitwiseNot(write(node.operand)),
    Not: (node) => condition(`(NOT ${bool(node.operand)})`),
    And: (node) => condition(`(${node.operands.map(bool).join(' AND ')})`),
    Or: (node) => condition(`(${keptApart(gatherEqualities(node.operands)).map(bool).join(' OR ')})`),
    IsNull: (node) => condition(`(${write(node.operand).sql} IS ${node.negated ? 'NOT ' : ''}NULL)`),
    IsTruth: (node) =>
      condition(`(${bool(node.operand)} IS ${node.negated ? 'NOT ' : ''}${node.value ? 'TRUE' : 'FALSE'})`),
    Between: (node) => {
      const low = compareExpressions('>=', node.operand, node.low, write);
      const high = compareExpressions('<=', node.operand, node.high, write);
      return condition(`(${node.negated ? 'NOT ' : ''}(${low} AND ${high}))`);
    },
    InList: (node) => condition(writeInList(node, write)),
    Like: (node) => {
      const escape = node.escape === null ? null : write(node.escape);
      const operand = node.caseInsensitive ? writeText(node.operand) : write(node.operand);
      const like = writeLike(operand, write(node.pattern), escape, node.caseInsensitive, textBudget);
      return condition(node.negated ? `(NOT ${like})` : like);
    },
    Case: (node) => writeCase(node, write),
    Cast: (node) => {
      const writeOperand = MADE_BY_CAST.has(node.sqlType) ? writeText : write;
      return writeCast(writeOperand(node.operand), node.sqlType, node.tryCast);
    },
    Extract: (node) => writePart(node, write(node.operand)),
    FunctionCall: (node) => {
      const definition = scalarNamed(node.name);
      const isText = definition.family === 'string' || definition.family === 'json';
      const isBounded = isText && !READS_LITTLE.has(definition.name);
      const values = node.arguments.map(isBounded ? writeText : write);
      if (node.refusesZero === true)
        return refusingZero(at(values, 0), at(values, 1), (a, b) =>
          writeFunctionCall(definition, [a, b], textBudget),
        );
      return writeFunctionCall(definition, values, textBudget);
    },
    DocumentAccess: (node) => {
      const document = write(node.operand);
      const step = `json_extract(ps_kept_digits(${documentText(document)}), ${quoteText(jsonPointer(...node.path))})`;
      return { sql: `ps_mixed_of_step(${step})`, type: valueWithin(document.type) };
    },
    Row: (node) => {
      const values = node.values.map(write);
      return {
        sql: `(${values.map((value) => value.sql).join(', ')})`,
        type: { kind: 'row', fields: values.map((value) => value.type) },
      };
    },
    ScalarSubquery: (node) => {
      const query = scope.subquery(node.plan);
      return { sql: `(${query.sql})`, type: query.columns[0]?.type ?? NULL_TYPE };
    },
    Exists: (node) =>
      condition(
        isCorrelated(node.plan)
          ? existsAsValue(scope.subquery(node.plan).sql, scope)
          : `EXISTS (${scope.subquery(node.plan).sql})`,
      ),
    InSubquery: ({ operand, plan, negated }) => {
      const any = writeQuantified({ operand, operator: '=', quantifier: 'ANY', plan }, write, scope);
      return condition(negated ? `(NOT ${any})` : any);
    },
    QuantifiedComparison: (node) => condition(writeQuantified(node, write, scope)),
  };
  const written = write(root);
  if (planningWork(written.sql) > PLANNING_WORK_MAX) throw tooManyConversions(root.pos);
  return written;
}

/** A conjunct of WHERE or ON: only whether it is true counts. */
export function writeConjunct(root: Expression, scope: WriteScope): string {
  if (root.kind === 'Comparison' && root.operator === '=' && root.left.kind !== 'Row') {
    return hashableEquality(writeExpression(root.left, scope), writeExpression(root.right, scope));
  }
  const sides = nullSafeSides(root);
  if (sides !== null) {
    const [left, right] = sides.map((side) => writeExpression(side, scope));
    if (left !== undefined && right !== undefined) return compare('IS NOT DISTINCT FROM', left, right);
  }
  if (root.kind === 'Exists') return `EXISTS (${scope.subquery(root.plan).sql})`;
  if (root.kind === 'Not' && root.operand.kind === 'Exists')
    return `(NOT EXISTS (${scope.subquery(root.operand.plan).sql}))`;
  const isAny =
    (root.kind === 'InSubquery' && !root.negated) ||
    (root.kind === 'QuantifiedComparison' && root.quantifier === 'ANY');
  if (isAny) {
    const operator = root.kind === 'InSubquery' ? '=' : root.operator;
    const asked: Quantified = { operand: root.operand, operator, quantifier: 'ANY', plan: root.plan };
    return writeQuantified(asked, (node) => writeExpression(node, scope), scope, true);
  }
  return toBoolean(writeExpression(root, scope)).sql;
}
