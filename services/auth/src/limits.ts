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
/** Tries of a conditional write that somebody else's write got ahead of. */
export const conflictTriesMax = 8;
/** Bytes of a secret or a token: 256 bits. */
export const secretBytes = 32;
/** Bytes of a one-time-code secret: as long as a SHA-1 hash (RFC 4226, section 4, R6). */
export const totpSecretBytes = 20;
/** argon2id: 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet). */
export const passwordHash = Object.freeze({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
