/** Rows of NDJSON, each an array, cut into the tokens of their cells: no value is parsed, so no digit is lost. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Behind a string that begins at `from`. */
function behindString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** Behind a list or a map. */
function behindDocument(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = behindString(text, at);
      continue;
    }
    if (code === OPEN_LIST || code === OPEN_MAP) depth++;
    if (code === CLOSE_LIST || code === CLOSE_MAP) depth--;
    at++;
    if (depth === 0) return at;
  }
  return text.length;
}

function behindPlain(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code !== COMMA && code !== CLOSE_LIST && at < text.length;) {
    code = text.charCodeAt(++at);
  }
  return at;
}

/** The tokens of a row as the engine writes it: no spaces between them. */
export function cellTokens(line: string): readonly string[] {
  const cells: string[] = [];
  for (let at = 1; at < line.length && line.charCodeAt(at) !== CLOSE_LIST;) {
    const code = line.charCodeAt(at);
    const end =
      code === QUOTE
        ? behindString(line, at)
        : code === OPEN_LIST || code === OPEN_MAP
          ? behindDocument(line, at)
          : behindPlain(line, at);
    cells.push(line.slice(at, end));
    at = line.charCodeAt(end) === COMMA ? end + 1 : end;
  }
  return cells;
}

/** The whole lines of bytes that come in pieces. */
export function createLines(): (bytes: Uint8Array) => readonly string[] {
  const decoder = new TextDecoder();
  let rest = '';
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    return lines;
  };
}
