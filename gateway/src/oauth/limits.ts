/** Bounds of the OAuth routes and of the hosted pages' forms. */

/** Largest form. */
export const FORM_BYTES_MAX = 128 * 1024;
/** Largest registration; auth takes no more. */
export const REGISTRATION_BYTES_MAX = 64 * 1024;
/** Most parameters of a request. */
export const PARAMETERS_MAX = 100;
/** Metadata changes with a release only. */
export const METADATA_MAX_AGE_S = 300;
/** A browser asks again whether it may call after this long. */
export const PREFLIGHT_MAX_AGE_S = 600;
