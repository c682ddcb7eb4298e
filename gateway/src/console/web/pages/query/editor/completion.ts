/** What can be written next: schemas, tables, columns, functions. Keywords come from the dialect. */
import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from '@codemirror/autocomplete';
import { keywordCompletionSource, type SQLDialect, type SQLNamespace } from '@codemirror/lang-sql';
import { syntaxTree } from '@codemirror/language';
import type { CatalogTable, Column } from '../../../../api/catalog.ts';
import type { SqlFunction } from '../../../../api/sql-reference.ts';
import { invisible } from '../../../components/invisible.ts';

const KEY_BOOST = 2;
const COLUMN_BOOST = 1;
/** Below keywords of the same letters' beginning, above nothing. */
const FUNCTION_BOOST = -1;

/** Names with what can't be seen of them, so that two that look alike don't pass for each other. */
const shown = (name: string): string =>
  invisible(name)
    ?.map(({ text, code }) => (code === undefined ? text : `⟨${code}⟩`))
    .join('') ?? name;

/** `key`, `key of byRegion`: where a condition on the column makes a read cheap. */
function keyMark(table: CatalogTable, name: string): string {
  const { details } = table;
  if (details === null) return '';
  const { partitionKeys, sortKeys } = details.key;
  if (partitionKeys.some((key) => key.name === name)) return 'key';
  if (sortKeys.some((key) => key.name === name)) return 'sort key';
  const indexes = details.indexes.filter((index) => index.partitionKeys.some((key) => key.name === name));
  return indexes.length === 0 ? '' : `key of ${indexes.map((index) => shown(index.name)).join(', ')}`;
}

function columnCompletion(table: CatalogTable, column: Column, isTop: boolean): Completion {
  const mark = isTop ? keyMark(table, column.name) : '';
  return {
    label: shown(column.name),
    apply: lastPart(column.sqlName, column.name),
    type: mark === '' ? 'property' : 'keyColumn',
    detail: mark === '' ? column.sqlType : `${column.sqlType} · ${mark}`,
    boost: mark === '' ? COLUMN_BOOST : KEY_BOOST,
  };
}

/** The part of `address."post code"` that names the column at its own level. */
function lastPart(sqlName: string, name: string): string {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  return sqlName.endsWith(quoted) ? quoted : name;
}

/** A dot within a name is no path. */
const keyOf = (name: string): string => name.replaceAll('.', '\\.');

type Named = Readonly<Record<string, SQLNamespace>>;

function childrenOf(columns: readonly Column[], table: CatalogTable, isTop: boolean): Named {
  return Object.fromEntries(
    columns.map((column) => {
      const self = columnCompletion(table, column, isTop);
      const children = column.nested.length === 0 ? [] : { ...childrenOf(column.nested, table, false) };
      return [keyOf(column.name), { self, children }];
    }),
  );
}

function tableNamespace(table: CatalogTable): SQLNamespace {
  const { details } = table;
  const indexes = (details?.indexes ?? []).map((index): [string, SQLNamespace] => {
    const self = { label: shown(index.name), type: 'index', detail: `${index.kind} index of its own` };
    return [keyOf(index.name), { self, children: [] }];
  });
  const self: Completion = {
    label: shown(table.tableName),
    apply: lastPart(table.sqlName, table.tableName),
    type: 'table',
    detail: details === null ? 'table' : `table · ${details.itemCount.toLocaleString('en-US')} items`,
  };
  return {
    self,
    children: { ...Object.fromEntries(indexes), ...childrenOf(details?.columns ?? [], table, true) },
  };
}

/** Schemas, with their tables, with their columns. */
export function schemaNamespace(tables: readonly CatalogTable[]): SQLNamespace {
  const schemas = new Map<string, Record<string, SQLNamespace>>();
  for (const table of tables) {
    const known = schemas.get(table.schemaName) ?? {};
    known[keyOf(table.tableName)] = tableNamespace(table);
    schemas.set(table.schemaName, known);
  }
  return Object.fromEntries(
    [...schemas].map(([name, children]) => [
      name,
      { self: { label: name, type: 'schema', detail: 'schema' }, children },
    ]),
  );
}

/** What is typed of a word goes on to fit it. */
const WORD = /^[\p{L}\p{N}_]*$/u;
const WORD_CHAR = /[\p{L}\p{N}_]/u;

interface Word {
  readonly from: number;
  readonly text: string;
}

/** A word that a column or a function may begin. Null within a dotted name, which the dialect completes, and after nothing. */
function wordBefore({ state, pos, explicit }: CompletionContext): Word | null {
  const line = state.doc.lineAt(pos);
  let from = pos - line.from;
  while (from > 0 && WORD_CHAR.test(line.text[from - 1] ?? '')) from -= 1;
  const text = line.text.slice(from, pos - line.from);
  if (line.text[from - 1] === '.' || /^\p{N}/u.test(text) || (text === '' && !explicit)) return null;
  return { from: line.from + from, text };
}

/** Parts of a statement in which nothing is a name. */
const NO_NAMES: ReadonlySet<string> = new Set(['LineComment', 'BlockComment', 'String', 'Number']);
/** A number, or the name that somebody gives behind AS. */
const OWN_WORD = /(?:(?:^|[^\p{L}\p{N}_])AS\s+[\p{L}\p{N}_]*|(?:^|[^\p{L}\p{N}_])\p{N}[\p{L}\p{N}_.]*)$/iu;

/** The source, where a name that is known may stand: not in comments, texts and numbers, nor in a name that is being given. */
export function whereNamesStand(source: CompletionSource): CompletionSource {
  return (context) => {
    const { state, pos, explicit } = context;
    const before = state.doc.lineAt(pos).text.slice(0, pos - state.doc.lineAt(pos).from);
    if (NO_NAMES.has(syntaxTree(state).resolveInner(pos, -1).name)) return null;
    return !explicit && OWN_WORD.test(before) ? null : source(context);
  };
}

/** Keywords; what is a function has its own source, which tells what it takes. */
export function keywordSource(dialect: SQLDialect): CompletionSource {
  const source = keywordCompletionSource(dialect, true);
  return async (context) => {
    const found = await source(context);
    return found && { ...found, options: found.options.filter(({ type }) => type !== 'variable') };
  };
}

/** Tables that the statement reads: those whose name stands in it. */
function tablesIn(sql: string, tables: readonly CatalogTable[]): readonly CatalogTable[] {
  const written = sql.toLowerCase();
  return tables.filter(
    ({ sqlName, tableName }) =>
      written.includes(sqlName.toLowerCase()) || written.includes(` ${tableName.toLowerCase()} `),
  );
}

/** Columns without a table before them: of the tables that the statement reads. */
export function columnSource(tables: () => readonly CatalogTable[]): CompletionSource {
  return (context): CompletionResult | null => {
    const word = wordBefore(context);
    if (word === null) return null;
    const read = tablesIn(context.state.doc.toString(), tables());
    const byLabel = new Map<string, Completion>();
    for (const table of read) {
      for (const column of table.details?.columns ?? []) {
        const completion = columnCompletion(table, column, true);
        if (!byLabel.has(completion.label)) byLabel.set(completion.label, completion);
      }
    }
    return { from: word.from, options: [...byLabel.values()], validFor: WORD };
  };
}

function functionCompletion({ name, arguments: count, gives, example }: SqlFunction): Completion {
  return {
    label: name,
    type: 'function',
    detail: count === '0' ? '()' : `(${count})`,
    info: `${gives}\n${example}`,
    boost: FUNCTION_BOOST,
    apply: (view, _completion, from, to) => {
      const insert = `${name}()`;
      const inside = count === '0' ? insert.length : insert.length - 1;
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + inside },
        userEvent: 'input.complete',
      });
    },
  };
}

/** Functions with what they take and give; under each of their names. */
export function functionSource(functions: () => readonly SqlFunction[]): CompletionSource {
  let of: readonly SqlFunction[] = [];
  let options: readonly Completion[] = [];
  return (context): CompletionResult | null => {
    const word = wordBefore(context);
    if (word === null || word.text === '') return null;
    if (of !== functions()) {
      of = functions();
      options = of.flatMap((each) =>
        [each.name, ...each.aliases].map((name) => functionCompletion({ ...each, name })),
      );
    }
    return { from: word.from, options, validFor: WORD };
  };
}
