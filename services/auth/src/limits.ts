/** Bounds of auth; each has one home, here. Token lifetimes that other processes check too are in common's claims. */

/** How long refresh tokens of API clients live. */
export const REFRESH_TOKEN_LIFETIME_S = 30 * 86_400;
/** A link that users make for themselves, in the console. */
export const OWN_ENROLLMENT_LIFETIME_S = 900;
/** What a tenant's administrators can make in the console; an operator can make more. */
export const TENANT_CLIENTS_MAX = 200;
export const TENANT_PEOPLE_MAX = 500;
/** Of a page of a list of these. */
export const TENANT_PAGE_MAX = 100;
/** Users whose factors are looked up at the same time. */
export const PEOPLE_CONCURRENCY = 8;
/** Queries that a tenant's people may keep, and what of them goes into a page at most, in bytes of SQL. */
export const SAVED_QUERIES_MAX = 200;
export const SAVED_QUERIES_PAGE_BYTES_MAX = 1024 * 1024;
/** Earlier texts that are kept of each; the oldest goes for the next. */
export const SAVED_QUERY_EARLIER_TEXTS_MAX = 10;
/** One-time links by which an administrator lets somebody enroll. */
export const ENROLLMENT_LIFETIME_S = 7 * 86_400;
/** How far the clocks of two processes may be apart. */
export const CLOCK_SKEW_S = 300;
/** A replica sees a rotated signing key after at most this long. */
export const KEY_RING_AGE_MS_MAX = 3000;
/** Signing stops when the key ring could not be read for this long: the key may have been retired meanwhile. */
export const KEY_RING_STALE_MS_MAX = 60_000;
/** API clients whose tenant a replica remembers: it never changes, and each token needs it. */
export const CLIENT_TENANTS_MAX = 10_000;
/** Tries of a conditional write, where another write comes first each time. */
export const CONFLICT_TRIES_MAX = 8;
/** Users whose secrets are encrypted again at the same time. */
export const REENCRYPT_CONCURRENCY = 8;
/** Bytes of a secret or a token: 256 bits. */
export const SECRET_BYTES = 32;
/** Bytes of the salt of a SCRAM verifier, and its rounds of PBKDF2: as many as RFC 7677 asks for; secrets are random bits. */
export const SCRAM_SALT_BYTES = 16;
export const SCRAM_ITERATIONS = 4096;
/** Bytes of a one-time-code secret: as long as a SHA-1 hash (RFC 4226, section 4, R6). */
export const TOTP_SECRET_BYTES = 20;
/** argon2id: 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet). */
export const PASSWORD_HASH = Object.freeze({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/** Characters of a password that users choose for themselves (OWASP ASVS 2.1.1), and how many differ at least. */
export const CHOSEN_PASSWORD = Object.freeze({ charactersMin: 12, charactersMax: 256, differentMin: 5 });

/** How long access tokens for MCP live. */
export const MCP_ACCESS_TOKEN_LIFETIME_S = 600;
/** How long refresh tokens for MCP live. They are counted from the sign-in: a rotation does not extend them. */
export const MCP_REFRESH_TOKEN_LIFETIME_S = 12 * 3600;
/** Authorization codes (RFC 6749, section 4.1.2: at most 10 minutes; a client redeems its code at once). */
export const AUTHORIZATION_CODE_LIFETIME_S = 60;
/** A grant lives longer than its last access token, which is good only while the grant is. */
export const GRANT_LIFETIME_S = MCP_REFRESH_TOKEN_LIFETIME_S + 2 * MCP_ACCESS_TOKEN_LIFETIME_S;
/** From GET /authorize to the user's decision. */
export const INTERACTION_LIFETIME_S = 600;
/** How long a browser stays signed in, from sign-in. */
export const BROWSER_SESSION_LIFETIME_S = 3600;
/** Sessions of the console end when they are not used for so long, and at the latest after a while. */
export const CONSOLE_SESSION = Object.freeze({
  idleS: 12 * 3600,
  lifetimeS: 30 * 86_400,
  /** Use is written down so often. */
  renewalS: 300,
  perUserMax: 50,
  /** What adds or removes a way to sign in wants a sign-in that is no older. */
  freshSignInS: 900,
});
/** A passkey's answer must come within this time. */
export const PASSKEY_CHALLENGE_LIFETIME_S = 300;

/** Wrong tries and their window, by account and address or browser (password and code together) and by address alone. */
export const SIGN_IN_TRIES = Object.freeze({ perAccount: 10, perAddress: 100, windowS: 900 });
/**
 * Wrong tries for one account from browsers that never signed in to it, from all addresses together: as many as OWASP
 * ASVS allows an account (2.2.1). Browsers that did sign in to it are counted apart.
 */
export const STRANGERS_TRIES = Object.freeze({ perAccount: 100, windowS: 3600 });
/** How long a browser that signed in is remembered as one. */
export const KNOWN_BROWSER_LIFETIME_S = 180 * 86_400;
/** Registrations by address. */
export const REGISTRATION_TRIES = Object.freeze({ perAddress: 200, windowS: 3600 });
/** A client that registered itself is forgotten unless a user lets it in within this time. */
export const UNUSED_REGISTRATION_LIFETIME_S = 7 * 86_400;

/** Client ID metadata documents: what a stranger can make us fetch. */
export const METADATA_DOCUMENT = Object.freeze({
  bytesMax: 5 * 1024,
  timeoutMs: 3000,
  /** Fetches from one host. */
  perHost: 30,
  perHostWindowS: 60,
  /** Fetches at once. */
  concurrent: 20,
  /** One that could not be used is not asked for again so soon. */
  refusalMs: 2000,
  refusalsMax: 1000,
  cacheS: { min: 30, max: 86_400 },
});

/** What a client says of itself. */
export const CLIENT_METADATA = Object.freeze({
  bodyBytesMax: 16 * 1024,
  nameCharsMax: 100,
  redirectUrisMax: 20,
  uriCharsMax: 2000,
});

/** One-time codes of the step before and the step after count too: clocks differ (RFC 6238, section 5.2). */
export const TOTP_WINDOW_STEPS = 1;
export const TOTP_PERIOD_S = 30;
