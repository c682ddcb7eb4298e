/**
 * What a refusal says beyond its message. The place in the statement and the statement itself are left out: the editor
 * underlines the place. `Did you mean name? An attribute that …`; null where nothing is left.
 */
export function wordsOfDetail(message: string, detail: string): string | null {
  const lines = detail.split('\n');
  const hasPlace = lines.length > 2 && /^\s*\^\s*$/.test(lines.at(-1) ?? '');
  const said = (hasPlace ? lines.slice(0, -2) : lines).join('\n').replace(/^at line \d+, column \d+: /, '');
  const rest = said.startsWith(message) ? said.slice(message.length).replace(/^[;:.,\s]+/, '') : said;
  const sentences = rest.replace(/\?; (\p{Ll})/gu, (_, letter: string) => `? ${letter.toUpperCase()}`).trim();
  return sentences === '' ? null : sentences.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
