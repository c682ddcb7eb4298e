/**
 * JSON that strangers wrote. Its depth is bounded, so recursive functions may work on the values that come out of
 * here.
 */

/** Levels of arrays and objects within each other. Nothing that a caller has to say needs ten. */
export const JSON_DEPTH_MAX = 64;

/** What is wrong with a text that was to be JSON; the message may be shown. */
export class ForeignJsonError extends Error {
  override readonly name = 'ForeignJsonError';
}

const STRUCTURE = /["[\]{}]/g;
const STRING_END = /["\\]/g;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** The offset after the string that begins before an offset; the end of the text where it does not end. */
function stringEnd(text: string, from: number): number {
  STRING_END.lastIndex = from;
  for (let found = STRING_END.exec(text); found !== null; found = STRING_END.exec(text)) {
    if (found[0] === '"') return STRING_END.lastIndex;
    STRING_END.lastIndex += 1;
  }
  return text.length;
}

/** Counts brackets outside of strings. It does not check the syntax, and is not recursive itself. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  STRUCTURE.lastIndex = 0;
  for (let found = STRUCTURE.exec(text); found !== null; found = STRUCTURE.exec(text)) {
    const [character] = found;
    if (character === '"') STRUCTURE.lastIndex = stringEnd(text, STRUCTURE.lastIndex);
    else depth += character === '[' || character === '{' ? 1 : -1;
    if (depth > JSON_DEPTH_MAX) return true;
  }
  return false;
}

/** Half a surrogate pair can be escaped in JSON, but not sent on in UTF-8. */
function refuseLoneSurrogates(text: string): void {
  if (!SURROGATE_ESCAPE.test(text)) return;
  JSON.parse(text, (key, value: unknown) => {
    const broken = !key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed());
    if (broken) throw new ForeignJsonError('holds half of a surrogate pair');
    return value;
  });
}

/**
 * Parses JSON from outside: at most JSON_DEPTH_MAX levels, every text in it well formed.
 *
 * @throws ForeignJsonError whose message says what is wrong, to follow the name of what was parsed: `is not valid JSON`
 */
export function parseForeignJson(text: string): unknown {
  if (isTooDeep(text))
    throw new ForeignJsonError(`has more than ${JSON_DEPTH_MAX} levels of arrays and objects`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ForeignJsonError('is not valid JSON', { cause });
  }
  refuseLoneSurrogates(text);
  return value;
}
