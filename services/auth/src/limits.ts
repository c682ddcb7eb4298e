/** Bounds of auth; each has one home, here. Token lifetimes that other processes check too are in common's claims. */

/** Refresh tokens of API clients (decisions, "Token refresh"). */
export const refreshTokenLifetimeS = 30 * 86_400;
/** One-time links for enrolling a passkey. */
export const enrollmentLifetimeS = 7 * 86_400;
/** How far the clocks of two processes may be apart. */
export const clockSkewS = 300;
/** A replica sees a rotated signing key after at most this long. */
export const keyRingMaxAgeMs = 3000;
/** Signing stops when the key ring could not be read for this long: the key may have been retired meanwhile. */
export const keyRingStaleMsMax = 60_000;
/** API clients whose tenant a replica remembers: it never changes, and each token needs it. */
export const clientTenantsMax = 10_000;
/** Tries of a conditional write that somebody else's write got ahead of. */
export const conflictTriesMax = 8;
/** Users whose secrets are encrypted anew at the same time. */
export const reencryptConcurrency = 8;
/** Bytes of a secret or a token: 256 bits. */
export const secretBytes = 32;
/** Bytes of a one-time-code secret: as long as a SHA-1 hash (RFC 4226, section 4, R6). */
export const totpSecretBytes = 20;
/** argon2id: 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet). */
export const passwordHash = Object.freeze({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/** Access tokens for MCP (service-spec, "Authentication", 11). */
export const mcpAccessTokenLifetimeS = 600;
/** Refresh tokens for MCP: from sign-in, whatever their rotations (service-spec, "Authentication", 11). */
export const mcpRefreshTokenLifetimeS = 12 * 3600;
/** Authorization codes (RFC 6749, section 4.1.2: at most 10 minutes; a client redeems its code at once). */
export const authorizationCodeLifetimeS = 60;
/** A grant outlives its last access token, which is good for no longer than it. */
export const grantLifetimeS = mcpRefreshTokenLifetimeS + 2 * mcpAccessTokenLifetimeS;
/** From GET /authorize to the user's decision. */
export const interactionLifetimeS = 600;
/** How long a browser stays signed in, from sign-in. */
export const browserSessionLifetimeS = 3600;
/** A passkey's answer must come within this time. */
export const passkeyChallengeLifetimeS = 300;

/** Wrong tries and their window, by account and address or browser (password and code together) and by address alone. */
export const signInTries = Object.freeze({ perAccount: 10, perAddress: 100, windowS: 900 });
/**
 * Wrong tries for one account from browsers that never signed in to it, from all addresses together: as many as OWASP
 * ASVS allows an account (2.2.1). Browsers that did are counted for themselves.
 */
export const strangersTries = Object.freeze({ perAccount: 100, windowS: 3600 });
/** How long a browser that signed in is remembered as one. */
export const knownBrowserLifetimeS = 180 * 86_400;
/** Wrong client secrets by address; the gateway counts those of the REST API into the same window. */
export const wrongSecretTries = Object.freeze({ perAddress: 300, windowS: 900 });
/** Registrations by address. */
export const registrationTries = Object.freeze({ perAddress: 200, windowS: 3600 });
/** A client that registered itself is forgotten where nobody has let it in by then. */
export const unusedRegistrationLifetimeS = 7 * 86_400;

/** Client ID metadata documents: what a stranger can make us fetch. */
export const metadataDocument = Object.freeze({
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
export const clientMetadata = Object.freeze({
  bodyBytesMax: 16 * 1024,
  nameCharsMax: 100,
  redirectUrisMax: 20,
  uriCharsMax: 2000,
});

/** One-time codes of the step before and the step after count too: clocks differ (RFC 6238, section 5.2). */
export const totpWindowSteps = 1;
export const totpPeriodS = 30;
