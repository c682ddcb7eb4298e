/** A quoted piece of text: the characters it stands for and the offset after its closing quote; null if unclosed. */
export type Quoted = { readonly value: string; readonly end: number } | null;

/** Reads `'…'` or `"…"` from its opening quote on. A doubled quote is one; a backslash is an ordinary character. */
export function readQuoted(sql: string, start: number): Quoted {
  const quote = sql.charAt(start);
  let value = '';
  for (let from = start + 1; ;) {
    const close = sql.indexOf(quote, from);
    if (close < 0) return null;
    value += sql.slice(from, close);
    if (sql.charAt(close + 1) !== quote) return { value, end: close + 1 };
    value += quote;
    from = close + 2;
  }
}

/** Reads `$$…$$` or `$tag$…$tag$`, where nothing is escaped; undefined if it is not the start of one. */
export function readDollarQuoted(sql: string, start: number): Quoted | undefined {
  const tag = /^\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/.exec(
    sql.slice(start, start + 64),
  )?.[0];
  if (tag === undefined) return undefined;
  const close = sql.indexOf(tag, start + tag.length);
  return close < 0 ? null : { value: sql.slice(start + tag.length, close), end: close + tag.length };
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** Reads the `'…'` of `E'…'` from its quote on, with backslash escapes; `badEscape` if it has one not known here. */
export function readEscaped(sql: string, start: number): Quoted | 'badEscape' {
  let value = '';
  for (let at = start + 1; at < sql.length; at++) {
    const character = sql.charAt(at);
    if (character === '\\') {
      const escaped = ESCAPES[sql.charAt(++at)];
      if (escaped === undefined) return 'badEscape';
      value += escaped;
    } else if (character !== "'") {
      value += character;
    } else if (sql.charAt(at + 1) === "'") {
      value += "'";
      at++;
    } else {
      return { value, end: at + 1 };
    }
  }
  return null;
}
