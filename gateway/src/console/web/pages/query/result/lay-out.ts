import { parse, stringify } from 'lossless-json';

const INDENT = 2;

/** A document over several lines. Numbers keep their digits as they are written. */
export function layOut(json: string): string {
  return stringify(parse(json), null, INDENT) ?? json;
}
