import type { ScanColumn } from '../../logical/plan.ts';
import type { Condition } from './condition.ts';
import { showLiteral } from './literal.ts';

/** A condition in a few words, for EXPLAIN. */
function showCondition(condition: Condition, alias: string): string {
  const name = (column: ScanColumn) =>
    column.path.reduce<string>(
      (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`),
      alias,
    );
  switch (condition.kind) {
    case 'Compare':
      return `${name(condition.column)} ${condition.operator} ${showLiteral(condition.literal)}`;
    case 'In':
      return condition.literals.length <= 3
        ? `${name(condition.column)} IN (${condition.literals.map(showLiteral).join(', ')})`
        : `${name(condition.column)} IN (${condition.literals.length} values)`;
    case 'Prefix':
      return `${name(condition.column)} LIKE ${showLiteral({ type: 'text', value: `${condition.prefix}%` })}`;
    case 'IsNull':
      return `${name(condition.column)} IS ${condition.negated ? 'NOT ' : ''}NULL`;
    case 'And':
    case 'Or':
      return condition.operands.length <= 3
        ? condition.operands
            .map((operand) => showCondition(operand, alias))
            .join(condition.kind === 'And' ? ' AND ' : ' OR ')
        : `${condition.kind === 'And' ? 'AND' : 'OR'} of ${condition.operands.length} predicates`;
    case 'Never':
    case 'Always':
    case 'Unknown':
      return condition.kind.toLowerCase();
  }
}

/** The conjuncts that speak of these attributes, in a few words. */
export function showConjuncts(
  conjuncts: readonly Condition[],
  attributes: readonly (string | undefined)[],
  alias: string,
): string {
  const about = (condition: Condition): boolean => {
    if (condition.kind === 'And' || condition.kind === 'Or') return condition.operands.some(about);
    return 'column' in condition && attributes.includes(String(condition.column.path[0]));
  };
  return conjuncts
    .filter(about)
    .map((conjunct) => showCondition(conjunct, alias))
    .join(' AND ');
}
