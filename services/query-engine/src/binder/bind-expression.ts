/** Binds expressions: one entry for every kind of the syntax tree, in one file, since each calls the others. */
import { nearestNames } from '@penstock/common/text/nearest-names.ts';
import { expression, functionCall, literal } from '../logical/build-expression.ts';
import type { DocumentStep, Expression } from '../logical/expression.ts';
import type { AstExpression, AstQuery, PathStep } from '../parser/ast.ts';
import { CTID_TYPE } from '../parser/postgresql/ctid.ts';
import { arrayOf } from './array-subquery.ts';
import { bindCast, bindCtid, listOf } from './bind-cast.ts';
import { bindFunctionCall } from './bind-function.ts';
import type { BoundQuery, ExpressionContext } from './context.ts';
import { amongDocuments, comparedDocument, refuseJoined } from './document-constants.ts';
import { bindDocumentOperator, bindPathCall, isOfDocuments } from './document-operators.ts';
import { didYouMean, invalid } from './errors.ts';
import { decided } from './ctid.ts';
import { dividing } from './division.ts';
import { partOf } from './fractional-parts.ts';
import { negativeOf } from './number-literal.ts';
import { amongElements, amongValues, listParameter } from './quantified-list.ts';
import { reachableBranches } from './reachable.ts';
import { matches, similarTo } from './regular-expressions.ts';
import { resolveName } from './resolve-name.ts';
import { withinChoice } from './select-rows.ts';
import {
  arrayElement,
  elementFromOne,
  isArray,
  isNestedPlace,
  joinedArrays,
  placeFromOne,
  positionFromOne,
  sliceFromOne,
} from './sql-arrays.ts';
import { warnOfWholeLists } from './whole-lists.ts';
import { withWholeRow } from './whole-rows.ts';

type AstOf<K extends AstExpression['kind']> = AstExpression extends infer N
  ? N extends { readonly kind: infer NodeKind }
    ? K extends NodeKind
      ? N
      : never
    : never
  : never;

type Binders = {
  readonly [K in AstExpression['kind']]: (node: AstOf<K>, context: ExpressionContext) => Expression;
};

const EXTRACT_FIELDS: readonly string[] = [
  'MILLENNIUM', 'CENTURY', 'DECADE', 'YEAR', 'ISOYEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'DOW', 'ISODOW', 'DOY',
  'HOUR', 'MINUTE', 'SECOND', 'MILLISECOND', 'MILLISECONDS', 'MICROSECOND', 'MICROSECONDS', 'EPOCH',
  'DAYOFWEEK', 'DAYOFYEAR', 'TIMEZONE', 'TIMEZONE_HOUR', 'TIMEZONE_MINUTE',
]; // oxfmt-ignore

const steps = (path: readonly PathStep[]): DocumentStep[] =>
  path.map((step) => (step.kind === 'Name' ? step.identifier.name : step.index));

/** Binds a subquery: it may refer to columns of this scope, and to aggregates over its rows. */
function subquery(query: AstQuery, context: ExpressionContext): BoundQuery {
  const { ctes } = context.scope.environment;
  return context.statement.bindQuery(query, { outer: { ...context.scope, calls: context.calls }, ctes });
}

const widthOf = (node: Expression): number => (node.kind === 'Row' ? node.values.length : 1);

function checkWidths(node: AstExpression, context: ExpressionContext, left: number, right: number): void {
  if (left === right) return;
  throw invalid(context, node, `Columns do not match: ${left} on the left, ${right} on the right`);
}

/** An operand that may also be a row value `(a, b)`. */
function bindOperand(node: AstExpression, context: ExpressionContext): Expression {
  if (node.kind !== 'Row') return bindExpression(node, context);
  if (node.values.length === 0) throw invalid(context, node, 'A row value needs at least one value');
  const values = node.values.map((value) => bindExpression(value, context));
  return expression({ kind: 'Row', values, pos: node.pos });
}

const BINDERS: Binders = {
  Name: (node, context) =>
    arrayElement(node, context) ??
    resolveName(context.statement, context.scope, node.path, node.pos).expression,
  Access(node, context) {
    const operand = bindExpression(node.operand, context);
    if (stepsInto(operand) >= COMPUTED_STEPS_MAX) throw invalid(context, node, TOO_MANY_STEPS, STEPS_ADVICE);
    if (isArray(node.operand, context)) return elementFromOne(operand, node.path, node.pos);
    return expression({ kind: 'DocumentAccess', operand, path: steps(node.path), pos: node.pos });
  },
  Subscript(node, context) {
    const operand = bindExpression(node.operand, context);
    const isFromOne = isArray(node.operand, context);
    if (isFromOne) refuseNested([node.index], context);
    const written = bindExpression(node.index, context);
    const index = isFromOne ? fromOneIn(written, node.index, context) : written;
    if (stepsInto(operand) >= COMPUTED_STEPS_MAX) throw invalid(context, node, TOO_MANY_STEPS, STEPS_ADVICE);
    const step = constantStep(index);
    return step === null
      ? functionCall('ELEMENT_AT', [operand, index], node.pos)
      : expression({ kind: 'DocumentAccess', operand, path: [step], pos: node.pos });
  },
  Slice(node, context) {
    const { operand, from, to, pos } = node;
    const isFromOne = isArray(operand, context);
    if (isFromOne) refuseNested([from, to], context);
    else context.statement.warn(SLICE_WARNING);
    const place = (text: string): AstExpression => ({ kind: 'NumberLiteral', text, pos });
    const none = { star: false, distinct: false, orderBy: [], withinGroup: [], filter: null, over: null };
    const bounds = isFromOne
      ? sliceFromOne(from, to, pos)
      : { from: from ?? place('0'), to: to ?? place('-1') };
    const call = {
      kind: 'FunctionCall',
      name: 'ELEMENTS',
      arguments: [operand, bounds.from, bounds.to],
      ...none,
      pos,
    } as const;
    return bindFunctionCall(call, context, bindExpression);
  },
  StringLiteral: (node) => literal({ type: 'text', value: node.value }, node.pos),
  NumberLiteral: (node) => literal({ type: 'number', text: node.text }, node.pos),
  BinaryLiteral: (node) =>
    literal({ type: 'binary', base64: Buffer.from(node.hex, 'hex').toString('base64') }, node.pos),
  BooleanLiteral: (node) => literal({ type: 'boolean', value: node.value }, node.pos),
  NullLiteral: (node) => literal({ type: 'null' }, node.pos),
  TypedLiteral: (node) => literal({ type: 'temporal', sqlType: node.type, value: node.value }, node.pos),
  IntervalLiteral: (node) => literal({ type: 'interval', value: node.value, unit: node.unit }, node.pos),
  Parameter: (node, { statement }) => literal(statement.parameters.take(node), node.pos),
  Unary(node, context) {
    const operand = bindExpression(node.operand, context);
    if (node.operator === '+') return operand;
    if (node.operator === '~') return expression({ kind: 'BitwiseNot', operand, pos: node.pos });
    // A negative number is a literal like any other: keys are looked up by it.
    if (operand.kind === 'Literal' && operand.value.type === 'number') {
      return literal({ type: 'number', text: negativeOf(operand.value.text) }, node.pos);
    }
    return expression({ kind: 'Negate', operand, pos: node.pos });
  },
  Binary(written, context) {
    const node = joinedArrays(written, context);
    const { operator, pos } = node;
    if (isOfDocuments(node)) return bindDocumentOperator(node, context, bindExpression);
    refuseJoined(node, context);
    const left = bindOperand(node.left, context);
    const right = bindOperand(node.right, context);
    switch (operator) {
      case '=':
      case '<>':
      case '<':
      case '<=':
      case '>':
      case '>=':
      case 'IS DISTINCT FROM':
      case 'IS NOT DISTINCT FROM':
        checkWidths(node, context, widthOf(left), widthOf(right));
        if (operator === '=' || operator === '<>') warnOfWholeLists(left, [right], context);
        return (
          comparedDocument(node, operator, [left, right], context) ??
          whereDecided(expression({ kind: 'Comparison', operator, left, right, pos }), context)
        );
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
      case '||':
      case '&':
      case '|':
      case '^':
      case '<<':
      case '>>':
        if (left.kind === 'Row' || right.kind === 'Row') throw invalid(context, node, ROW_PLACE);
        return dividing({ kind: 'Arithmetic', operator, left, right, pos }, context.statement);
      case '//':
        if (left.kind === 'Row' || right.kind === 'Row') throw invalid(context, node, ROW_PLACE);
        return dividing(functionCall('DIV', [left, right], pos), context.statement);
      case '~':
      case '!~':
      case '~*':
      case '!~*':
        if (left.kind === 'Row' || right.kind === 'Row') throw invalid(context, node, ROW_PLACE);
        return matches(operator, left, right, pos);
      case '^@':
        if (left.kind === 'Row' || right.kind === 'Row') throw invalid(context, node, ROW_PLACE);
        return functionCall('STARTS_WITH', [left, right], pos);
      default:
        throw new Error(`the operator ${operator} is bound elsewhere`);
    }
  },
  Not: (node, context) =>
    expression({ kind: 'Not', operand: bindExpression(node.operand, context), pos: node.pos }),
  And: (node, context) => bindConnected(node, context),
  Or: (node, context) => bindConnected(node, context),
  Is(node, context) {
    const operand = bindExpression(node.operand, context);
    const { negated, pos } = node;
    if (node.test === 'NULL' || node.test === 'UNKNOWN') {
      return expression({ kind: 'IsNull', operand, negated, pos });
    }
    return expression({ kind: 'IsTruth', operand, value: node.test === 'TRUE', negated, pos });
  },
  Between: (node, context) =>
    expression({
      kind: 'Between',
      operand: bindExpression(node.operand, context),
      low: bindExpression(node.low, context),
      high: bindExpression(node.high, context),
      negated: node.negated,
      pos: node.pos,
    }),
  InList(node, context) {
    const operand = bindOperand(node.operand, context);
    const values = node.values.map((value) => bindOperand(value, context));
    for (const value of values) checkWidths(node, context, widthOf(operand), widthOf(value));
    warnOfWholeLists(operand, values, context);
    const ofDocuments = amongDocuments(node, operand, values, context);
    if (ofDocuments !== null) return ofDocuments;
    return expression({ kind: 'InList', operand, values, negated: node.negated, pos: node.pos });
  },
  InSubquery(node, context) {
    const operand = bindOperand(node.operand, context);
    const { plan, columns } = subquery(node.query, context);
    checkWidths(node, context, widthOf(operand), columns.length);
    return expression({ kind: 'InSubquery', operand, plan, negated: node.negated, pos: node.pos });
  },
  Like(node, context) {
    const escape = node.escape === null ? null : bindExpression(node.escape, context);
    if (node.escape !== null && escape !== null && !isEscape(escape)) {
      throw invalid(context, node.escape, 'ESCAPE takes one character', "for example ESCAPE '!'");
    }
    const pattern = bindExpression(node.pattern, context);
    if (endsInEscape(pattern, escape))
      throw invalid(
        context,
        node.pattern,
        'A pattern of LIKE cannot end in its escape character',
        'write it twice where it stands for itself',
      );
    return expression({
      kind: 'Like',
      operand: bindExpression(node.operand, context),
      pattern,
      escape,
      caseInsensitive: node.caseInsensitive,
      negated: node.negated,
      pos: node.pos,
    });
  },
  SimilarTo(node, context) {
    const operand = bindExpression(node.operand, context);
    const pattern = bindExpression(node.pattern, context);
    return similarTo(operand, pattern, node.negated, node.pos, (message, hint) =>
      invalid(context, node.pattern, message, hint),
    );
  },
  Exists: (node, context) =>
    expression({ kind: 'Exists', plan: subquery(node.query, context).plan, pos: node.pos }),
  ScalarSubquery(node, context) {
    const { plan, columns } = subquery(node.query, context);
    if (columns.length !== 1) {
      throw invalid(context, node, `A subquery used as a value must have one column, not ${columns.length}`);
    }
    return expression({ kind: 'ScalarSubquery', plan, pos: node.pos });
  },
  ArraySubquery(node, context) {
    const query = subquery(node.query, context);
    if (query.columns.length !== 1) {
      throw invalid(context, node, `A subquery as a list must have one column, not ${query.columns.length}`);
    }
    return arrayOf(context.statement, query, node.pos);
  },
  QuantifiedComparison(node, context) {
    const { operator, quantifier, pos } = node;
    const operand = bindOperand(node.operand, context);
    const { plan, columns } = subquery(node.query, context);
    checkWidths(node, context, widthOf(operand), columns.length);
    return expression({ kind: 'QuantifiedComparison', operator, quantifier, operand, plan, pos });
  },
  QuantifiedList(node, context) {
    const { operator, quantifier, list, pos } = node;
    const operand = bindOperand(node.operand, context);
    const parameter = listParameter(list);
    const given = parameter === null ? null : context.statement.parameters.takeList(parameter);
    if (given !== null) {
      const typed = list.kind === 'Cast' && list.type === `${CTID_TYPE}[]`;
      const values = given
        .map((value) => literal(value, list.pos))
        .map((value) => (typed ? bindCtid(list, value, context) : value));
      return amongValues(operator, quantifier, operand, values, pos);
    }
    const written = listOf(list, context);
    if (written === null) {
      const bound = bindExpression(list, context);
      const found = amongElements(operator, quantifier, operand, bound, pos);
      if (found !== null) return found;
      throw invalid(
        context,
        list,
        `${operator} ${quantifier} takes a subquery or a list such as ARRAY[1, 2]`,
        'of a list that is an attribute: = ANY, <> ALL or ARRAY_CONTAINS',
      );
    }
    const values = written.arguments.map((value) => bindOperand(value, context));
    for (const value of values) checkWidths(node, context, widthOf(operand), widthOf(value));
    return amongValues(operator, quantifier, operand, values, pos);
  },
  Case(node, given) {
    const context = withinChoice(given, 'CASE');
    const operand = node.operand === null ? null : bindExpression(node.operand, context);
    const bound = node.branches.map(({ when, then }) => ({
      when: bindExpression(when, context),
      then: bindExpression(then, context),
    }));
    const otherwise = node.otherwise === null ? null : bindExpression(node.otherwise, context);
    const branches = reachableBranches(operand, bound);
    if (branches.length === 0) return otherwise ?? literal({ type: 'null' }, node.pos);
    return expression({ kind: 'Case', operand, branches, otherwise, pos: node.pos });
  },
  Cast: (node, context) => bindCast(node, context, bindExpression),
  Extract(node, context) {
    const field = node.field.toUpperCase();
    if (!EXTRACT_FIELDS.includes(field)) {
      const known = didYouMean(nearestNames(field, EXTRACT_FIELDS));
      throw invalid(context, node, `EXTRACT knows no ${node.field}`, known);
    }
    return partOf(field, bindExpression(node.operand, context), node.pos, context.statement);
  },
  FunctionCall(node, context) {
    const call = withWholeRow(node, context);
    return (
      bindPathCall(call, context, bindExpression) ??
      positionFromOne(call, context, (one, at) => bindFunctionCall(one, at, bindExpression)) ??
      bindFunctionCall(call, context, bindExpression)
    );
  },
  Row(node, context) {
    throw invalid(context, node, ROW_PLACE);
  },
};

/** A comparison of a row's place that is the same of all rows is known before they are read; not of rows that a join made up. */
function whereDecided(compared: Expression, { scope, clause }: ExpressionContext): Expression {
  const isOfOne = clause === 'WHERE' && scope.relations.length === 1;
  return isOfOne && compared.kind === 'Comparison' ? decided(compared) : compared;
}

function refuseNested(places: readonly (AstExpression | null)[], context: ExpressionContext): void {
  const nested = places.find((place) => place !== null && isNestedPlace(place)) ?? null;
  if (nested === null) return;
  const message = 'The place of an element cannot be computed by a place of another array, or by a subquery';
  throw invalid(context, nested, message, 'compute it in a common table expression');
}

/** A subscript that counts from 1, as one that counts from 0. */
function fromOneIn(written: Expression, index: AstExpression, context: ExpressionContext): Expression {
  const step = constantStep(written);
  if (typeof step !== 'number') return bindExpression(placeFromOne(index), context);
  return literal(step < 1 ? { type: 'null' } : { type: 'number', text: String(step - 1) }, index.pos);
}

/** In PostgreSQL and DuckDB the first element is 1, so that the same slice holds others there. */
const SLICE_WARNING =
  'a slice counts from 0 as subscripts do, both ends included: tags[0:1] has the first two elements';

/** Each is written several times over in what DuckDB plans, so that chains of them take longer and longer to plan. */
const COMPUTED_STEPS_MAX = 2;
const TOO_MANY_STEPS = 'Too many computed steps into a document, one into the other';
const STEPS_ADVICE = 'take the first of them in a common table expression';

function stepsInto(node: Expression): number {
  if (node.kind === 'DocumentAccess') return 1 + stepsInto(node.operand);
  const [document] = node.kind === 'FunctionCall' && node.name === 'ELEMENT_AT' ? node.arguments : [];
  return document === undefined ? 0 : 1 + stepsInto(document);
}

/** The step that a constant index is, such as a parameter; null for any other. */
function constantStep(index: Expression): DocumentStep | null {
  if (index.kind !== 'Literal') return null;
  const { value } = index;
  if (value.type === 'text') return value.value;
  return value.type === 'number' && /^\d{1,9}$/.test(value.text) ? Number(value.text) : null;
}

/** A constant of at most one character. */
function isEscape(escape: Expression): boolean {
  if (escape.kind !== 'Literal') return false;
  const { value } = escape;
  return value.type === 'null' || (value.type === 'text' && Buffer.byteLength(value.value) <= 1);
}

/** Whether the last character of a constant pattern would make the next one plain. */
function endsInEscape(pattern: Expression, escape: Expression | null): boolean {
  if (pattern.kind !== 'Literal' || pattern.value.type !== 'text') return false;
  if (escape?.kind !== 'Literal' || escape.value.type !== 'text' || escape.value.value === '') return false;
  let isEscaped = false;
  for (const character of pattern.value.value) isEscaped = !isEscaped && character === escape.value.value;
  return isEscaped;
}

const ROW_PLACE = 'A row value can stand only in a comparison or IN';

function bindConnected(node: AstOf<'And'>, context: ExpressionContext): Expression {
  const operands = node.operands.map((operand) => bindExpression(operand, context));
  return expression({ kind: node.kind, operands, pos: node.pos });
}

/**
 * Binds an expression. Aggregates and windows become references to columns of `context.calls`.
 * @throws PenstockError where a name does not resolve or the expression makes no sense
 */
export function bindExpression(node: AstExpression, context: ExpressionContext): Expression {
  return (BINDERS[node.kind] as (node: AstExpression, context: ExpressionContext) => Expression)(
    node,
    context,
  );
}
