/** manifest.json: what the gateway reads of the bundle. */
import type { Bundle, BuiltFile } from './bundle.ts';

const TYPES: Readonly<Record<string, string>> = Object.freeze({
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
});

export interface Manifest {
  /** Names of files: the script and the style sheet of the document, and what the script imports at once. */
  readonly entry: Bundle['entry'];
  /** The licenses of what is in the bundle. */
  readonly licenses: string;
  /** By name, each file that is served; `<name>.br` and `<name>.gz` lie beside it. Names change with content. */
  readonly files: Readonly<Record<string, { readonly type: string; readonly bytes: number }>>;
}

/** @throws Error where a file is of no known type */
export function manifestOf({ entry }: Bundle, files: readonly BuiltFile[]): Manifest {
  const served = files.filter(({ name }) => !/[.](?:br|gz)$/.test(name));
  const described = served.map(({ name, content }) => {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) throw new Error(`${name} is of no type that is served`);
    return [name, { type, bytes: content.length }] as const;
  });
  const licenses = served.find(({ name }) => name.startsWith('licenses-'))?.name ?? '';
  return { entry, licenses, files: Object.fromEntries(described) };
}
