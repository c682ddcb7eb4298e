/** How PostgreSQL names a column of a result that the statement gives no name: `FigureColname` of its parse_target.c. */
import type { AstExpression, AstQueryBody, PathStep } from '../ast.ts';
import { typeName } from './type-name.ts';

/** `isWeak`: a cast's type, or `case`, which give way to the name of what they are about. */
interface Figured {
  readonly name: string;
  readonly isWeak: boolean;
}

const UNNAMED = '?column?';

const strong = (name: string): Figured => ({ name, isWeak: false });
const weak = (name: string): Figured => ({ name, isWeak: true });

/** The name where `inner` has one that does not give way. */
const orWeak = (inner: Figured | null, name: string): Figured =>
  inner === null || inner.isWeak ? weak(name) : inner;

/** Functions that the parser knows by other names than PostgreSQL's parser. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['TRIM', 'btrim'],
  ['LIST_VALUE', 'array'],
]);

function lastName(path: readonly PathStep[]): string | null {
  const last = path.findLast((step) => step.kind === 'Name');
  return last?.kind === 'Name' ? last.identifier.name : null;
}

function figure(node: AstExpression): Figured | null {
  switch (node.kind) {
    case 'Name': {
      const name = lastName(node.path);
      return name === null ? null : strong(name);
    }
    case 'Access': {
      const name = lastName(node.path);
      return name === null ? figure(node.operand) : strong(name);
    }
    case 'Subscript':
    case 'Slice':
      return figure(node.operand);
    case 'FunctionCall':
      return strong(FUNCTIONS.get(node.name) ?? node.name.toLowerCase());
    case 'Extract':
      return strong('extract');
    case 'Cast':
      return orWeak(figure(node.operand), typeName(node.type));
    case 'Case':
      return orWeak(node.otherwise === null ? null : figure(node.otherwise), 'case');
    case 'TypedLiteral':
      return weak(node.type.toLowerCase());
    case 'IntervalLiteral':
      return weak('interval');
    case 'Row':
      return strong('row');
    case 'Exists':
      return strong('exists');
    case 'ArraySubquery':
      return strong('array');
    case 'ScalarSubquery':
      return figureOfQuery(node.query.body);
    default:
      return null;
  }
}

/** The name of the first column. */
function figureOfQuery(body: AstQueryBody): Figured | null {
  switch (body.kind) {
    case 'Query':
      return figureOfQuery(body.body);
    case 'SetOperation':
      return figureOfQuery(body.left);
    case 'Values':
      return strong('column1');
    case 'Select': {
      const [item] = body.items;
      if (item?.kind !== 'Expression') return null;
      return item.alias === null ? figure(item.expression) : strong(item.alias.name);
    }
  }
}

export const outputName = (node: AstExpression): string => figure(node)?.name ?? UNNAMED;
