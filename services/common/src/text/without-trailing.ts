/**
 * The text without the characters of one kind at its end, in linear time. An expression such as `/0+$/` is quadratic: it
 * tries every run of zeros to its end, wherever in the text it stands.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
