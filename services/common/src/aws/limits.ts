/** Bounds of reaching into a tenant's account; each has one home, here. */

/** AssumeRole: a session's name, in characters. */
export const ROLE_SESSION_NAME_CHARACTERS_MAX = 64;
/** AssumeRole: an inline session policy, in characters. */
export const SESSION_POLICY_CHARACTERS_MAX = 2048;
/** What we ask for: the longest that a role chained from another role may have, and the least that a role can allow. */
export const ROLE_SESSION_LIFETIME_S = 3600;
/** Credentials are renewed in the background when they have less than this left. */
export const ROLE_SESSION_RENEW_BEFORE_MS = 5 * 60_000;
/** Credentials with less than this left are not handed out: a request in flight must not see them end. */
export const ROLE_SESSION_USABLE_MS = 30_000;
/** A background renewal that failed is tried again after this long. */
export const ROLE_SESSION_RENEW_RETRY_MS = 30_000;
/**
 * After a denial by DynamoDB a role is assumed again at most this often. What is denied then, the role does not
 * allow.
 */
export const ROLE_SESSION_DENIED_AGAIN_MS = 60_000;
/** Role sessions kept by one process; the least recently used go first. */
export const ROLE_SESSIONS_KEPT = 5000;
/** One STS call: connecting, then waiting for the answer. */
export const STS_CONNECT_MS_MAX = 2000;
export const STS_ANSWER_MS_MAX = 5000;
/** STS calls for one AssumeRole, the first included. */
export const STS_ATTEMPTS_MAX = 3;
