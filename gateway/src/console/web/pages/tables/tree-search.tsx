/** The field that searches a tree of tables, and what is said of what it found. */
import { counted } from '../../components/figures.ts';
import { Icon } from '../../components/icon.tsx';

interface TreeSearchProps {
  /** What is searched, after `Search`. */
  readonly what: string;
  readonly placeholder: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly found: readonly { readonly tables: readonly unknown[] }[];
}

export function TreeSearch({ what, placeholder, search, onSearch, found }: TreeSearchProps) {
  const tables = found.reduce((sum, schema) => sum + schema.tables.length, 0);
  return (
    <>
      <label class="tree-search">
        <Icon name="search" />
        <span class="sr-only">Search {what}</span>
        <input
          type="search"
          value={search}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onSearch(event.currentTarget.value)}
        />
      </label>
      <p class="sr-only" role="status">
        {search.trim() === '' ? '' : `${counted(tables, 'table')} found`}
      </p>
    </>
  );
}
