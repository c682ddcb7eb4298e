/**
 * To be loaded into a worker before it begins: takes out the bounds on what one statement may cost, so that nothing is left
 * but the process that it runs in.
 */
import { registerHooks } from 'node:module';

const BOUNDS =
  /export const (COMPARED_PAIRS_MAX|STATEMENT_TEXT_BYTES_MAX|REPEATED_TEXT_BYTES_MAX|MADE_TEXT_BYTES_MAX|WRITTEN_EXPRESSION_MAX) = [\d_]+;/g;
const ENOUGH = 1_000_000_000_000;

/** Statements that name these find a bug of the parser: it never comes back, or ends the process. */
const PARSE = /export function parse\([^)]*\)[^{]*\{/;
const BUGS = `
  if (sql.includes('hangs_the_parser')) for (;;);
  if (sql.includes('crashes_the_parser')) process.abort();
`;

const CHANGES: readonly { readonly file: string; readonly change: (source: string) => string }[] = [
  {
    file: '/query-engine/src/limits.ts',
    change: (source) => source.replace(BOUNDS, (_, name: string) => `export const ${name} = ${ENOUGH};`),
  },
  {
    file: '/query-engine/src/parser/parse.ts',
    change: (source) => source.replace(PARSE, (head) => `${head}${BUGS}`),
  },
];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const found = CHANGES.find(({ file }) => url.endsWith(file));
    if (found === undefined) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    const changed = found.change(source);
    if (changed === source) throw new Error(`nothing was found to change in ${url}`);
    return { ...loaded, source: changed };
  },
});
