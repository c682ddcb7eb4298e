import type { ConditionContext } from './conditions.ts';
import type { PolicyDocument } from './document.ts';
import { conditionsApply, namesAction } from './evaluate.ts';

/** Who asks to assume a role. */
interface TrustCaller {
  readonly accountId: string;
  /** The caller's own ARN: `arn:aws:iam::…:root` or `arn:aws:sts::…:assumed-role/…`. */
  readonly arn: string;
  /** For a session: the ARN of its role. */
  readonly roleArn?: string;
}

/**
 * `direct`: trusted by its own ARN or by `*`; `account`: trusted through its account, so the caller's own
 * policies must allow sts:AssumeRole too; `refused`: not trusted, or denied.
 */
type TrustDecision = 'direct' | 'account' | 'refused';

/** Whether a trust policy lets the caller assume its role. */
export function trustDecision(
  policy: PolicyDocument,
  caller: TrustCaller,
  context: ConditionContext,
): TrustDecision {
  let decision: TrustDecision = 'refused';
  for (const statement of policy.statements) {
    if (!namesAction(statement, 'sts:AssumeRole')) continue;
    const trusted = strongest(statement.principals.map((pattern) => principalMatch(pattern, caller)));
    if (trusted === 'refused' || !conditionsApply(statement, context)) continue;
    if (statement.effect === 'Deny') return 'refused';
    decision = strongest([decision, trusted]);
  }
  return decision;
}

function principalMatch(pattern: string, caller: TrustCaller): TrustDecision {
  if (pattern === '*' || pattern === caller.arn || pattern === caller.roleArn) return 'direct';
  const account = /^arn:aws[a-z-]*:iam::(\d{12}):root$/.exec(pattern)?.[1] ?? pattern;
  return account === caller.accountId ? 'account' : 'refused';
}

function strongest(decisions: readonly TrustDecision[]): TrustDecision {
  if (decisions.includes('direct')) return 'direct';
  return decisions.includes('account') ? 'account' : 'refused';
}
