/** Bounds of generic plans. */

/** Examples of a statement that are compared before no generic plan is looked for any more. */
export const GENERIC_TRIES_MAX = 8;
/** Texts of keys that go into a generic plan, in UTF-16 code units: a sort key has at most 1,024 bytes, of three a unit. */
export const KEY_TEXT_MAX = 341;
