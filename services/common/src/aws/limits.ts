/** Bounds of reaching into a tenant's account; each has one home, here. */

/** AssumeRole: a session's name, in characters. */
export const roleSessionNameCharactersMax = 64;
/** AssumeRole: an inline session policy, in characters. */
export const sessionPolicyCharactersMax = 2048;
/** What we ask for: the longest that a role chained from another role may have, and the least that a role can allow. */
export const roleSessionLifetimeS = 3600;
/** Credentials are renewed in the background when they have less than this left. */
export const roleSessionRenewBeforeMs = 5 * 60_000;
/** Credentials with less than this left are not handed out: a request in flight must not see them end. */
export const roleSessionUsableMs = 30_000;
/** A background renewal that failed is tried again after this long. */
export const roleSessionRenewRetryMs = 30_000;
/** After a refusal by DynamoDB a role is assumed anew no more often than this: what is refused then is the role's to grant. */
export const roleSessionDeniedAgainMs = 60_000;
/** Role sessions kept by one process; the least recently used go first. */
export const roleSessionsKept = 5000;
/** One STS call: connecting, then waiting for the answer. */
export const stsConnectMsMax = 2000;
export const stsAnswerMsMax = 5000;
/** STS calls for one AssumeRole, the first included. */
export const stsAttemptsMax = 3;
