import type { AstExpression } from '../../ast.ts';
import { parse } from '../../parse.ts';
import { mapTree } from '../meaning/map-tree.ts';

const parsed = new Map<string, ReturnType<typeof parse>>();

/** The expression that a template of our SQL says, with `$1`, `$2`… replaced by arguments. */
export function fromTemplate(template: string, operands: readonly AstExpression[]): AstExpression {
  // Those of the tables, and those with a unit or a format in them: few.
  const tree = parsed.get(template) ?? parse(`SELECT ${template}`);
  if (parsed.size < TEMPLATES_KEPT) parsed.set(template, tree);
  const filled = mapTree(tree, {
    expression: (node) => {
      const operand = node.kind === 'Parameter' && node.index !== null ? operands[node.index] : undefined;
      return operand ?? node;
    },
    sortKey: (key) => key,
  });
  const item = filled.body.kind === 'Select' ? filled.body.items[0] : undefined;
  if (item?.kind !== 'Expression') throw new Error(`a template that is no expression: ${template}`);
  return item.expression;
}

const TEMPLATES_KEPT = 1000;
