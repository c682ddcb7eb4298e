import { evaluateCondition, type ConditionContext } from './conditions.ts';
import type { PolicyDocument, PolicyStatement } from './document.ts';
import { matchesWildcard } from './wildcard.ts';

interface AccessRequest {
  /** For example `dynamodb:Query`. */
  readonly action: string;
  /** ARN, or `*` for actions without a resource. */
  readonly resource: string;
  readonly context: ConditionContext;
}

type Decision = 'allow' | 'explicit-deny' | 'implicit-deny';

/** What a set of policies says of a request: a Deny wins, then an Allow, else nothing is allowed. */
export function decide(policies: readonly PolicyDocument[], request: AccessRequest): Decision {
  let decision: Decision = 'implicit-deny';
  for (const { statements } of policies)
    for (const statement of statements) {
      if (!namesAction(statement, request.action) || !namesResource(statement, request.resource)) continue;
      if (!conditionsApply(statement, request.context)) continue;
      if (statement.effect === 'Deny') return 'explicit-deny';
      decision = 'allow';
    }
  return decision;
}

/** Whether a statement is about this action. Actions are case-insensitive. */
export function namesAction(statement: PolicyStatement, action: string): boolean {
  const names = (patterns: readonly string[]) =>
    patterns.some((pattern) => matchesWildcard(pattern, action, true));
  return statement.actions === undefined ? !names(statement.notActions ?? []) : names(statement.actions);
}

/**
 * Whether a statement's conditions let it apply. One that cannot be evaluated here (such as
 * `ForAllValues:…` on `dynamodb:LeadingKeys`) counts against the caller: an Allow fails, a Deny applies.
 */
export function conditionsApply(statement: PolicyStatement, context: ConditionContext): boolean {
  return statement.conditions.every((condition) => {
    const result = evaluateCondition(condition, context);
    return result === 'unsupported' ? statement.effect === 'Deny' : result === 'met';
  });
}

function namesResource(statement: PolicyStatement, resource: string): boolean {
  const names = (patterns: readonly string[]) =>
    patterns.some((pattern) => matchesWildcard(pattern, resource));
  return statement.resources === undefined
    ? !names(statement.notResources ?? [])
    : names(statement.resources);
}
