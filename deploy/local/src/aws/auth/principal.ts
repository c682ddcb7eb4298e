/** Who signed a request. */
export type Principal = AccountPrincipal | SessionPrincipal;

/** An account's owner: may do anything in it. */
interface AccountPrincipal {
  readonly kind: 'account';
  readonly accountId: string;
  readonly arn: string;
  readonly userId: string;
}

/** Temporary credentials of an assumed role. */
export interface SessionPrincipal {
  readonly kind: 'session';
  readonly accountId: string;
  /** `arn:aws:sts::<account>:assumed-role/<role>/<session>`. */
  readonly arn: string;
  /** `<role ID>:<session>`. */
  readonly userId: string;
  readonly roleName: string;
  readonly roleArn: string;
  /** A role that is deleted and made again has another ID, and its old sessions allow nothing. */
  readonly roleId: string;
  /** Policy text passed to AssumeRole, narrowing the role's. */
  readonly sessionPolicy: string | undefined;
  readonly expiresAtMs: number;
}

/** The owner of an account. */
export function accountPrincipal(accountId: string): AccountPrincipal {
  return { kind: 'account', accountId, arn: `arn:aws:iam::${accountId}:root`, userId: accountId };
}
