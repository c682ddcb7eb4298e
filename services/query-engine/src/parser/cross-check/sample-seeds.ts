import { createHash } from 'node:crypto';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import type { Edit } from './duckdb-text.ts';

/** DuckDB's seeds are whole numbers of four bytes. */
const PLAIN = /^\d{1,9}$/;

/** Another for each text, as far as that many can be. */
const standIn = (seed: string): string =>
  String(createHash('md5').update(seed).digest().readUInt32BE(0) >>> 1);

/** `REPEATABLE (-8734537857454)`: a seed that DuckDB does not read is spelled as one that is made of its text. */
export function sampleSeeds(tokens: readonly Token[]): readonly Edit[] {
  return tokens.flatMap(({ upper }, index) => {
    if (upper !== 'REPEATABLE' || tokens[index + 1]?.upper !== '(') return [];
    const first = tokens[index + 2];
    const number = first?.upper === '-' ? tokens[index + 3] : first;
    if (first === undefined || number?.type !== 'number') return [];
    const seed = first === number ? number.value : `-${number.value}`;
    return PLAIN.test(seed) ? [] : [{ from: first.position.offset, to: number.end, text: standIn(seed) }];
  });
}

/** The same for a text of our own. */
export function spellSampleSeeds(sql: string): string {
  const edits = sql.includes('REPEATABLE') ? sampleSeeds(tokenize(sql)) : [];
  return edits.reduceRight((text, { from, to, text: by }) => text.slice(0, from) + by + text.slice(to), sql);
}
