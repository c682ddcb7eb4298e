/** Bounds of the OAuth routes; those of forms, which the hosted pages have too, are in `../limits.ts`. */

/** Largest registration; auth takes no more. */
export const REGISTRATION_BYTES_MAX = 64 * 1024;
/** Metadata changes with a release only. */
export const METADATA_MAX_AGE_S = 300;
/** A browser asks again whether it may call after this long. */
export const PREFLIGHT_MAX_AGE_S = 600;
