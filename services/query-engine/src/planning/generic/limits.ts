/** Bounds of generic plans. */
import { sortKeyBytesMax } from '../../dynamodb/access-path/limits.ts';

/** Examples of a statement that are compared before no generic plan is looked for any more. */
export const GENERIC_TRIES_MAX = 8;
/** Texts of keys that go into a generic plan, in UTF-16 code units, of which each takes three bytes at most. */
export const KEY_TEXT_MAX = Math.floor(sortKeyBytesMax / 3);
