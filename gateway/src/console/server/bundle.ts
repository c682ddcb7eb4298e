import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Where `make install` and the image's build put what the browser runs (`../build`). */
export const BUNDLE_FOLDER = join(import.meta.dirname, '../../../dist/console');

const manifestSchema = z.object({
  entry: z.object({ script: z.string(), style: z.string(), imports: z.array(z.string()) }),
  files: z.record(z.string().regex(/^[\w.-]+$/), z.object({ type: z.string() })),
});

/** A file as it is sent. */
export interface BundledFile {
  readonly type: string;
  /** By content coding. */
  readonly encoded: { readonly br: Uint8Array; readonly gzip: Uint8Array; readonly identity: Uint8Array };
}

/** What the browser runs. */
export interface ConsoleBundle {
  readonly entry: z.infer<typeof manifestSchema>['entry'];
  readonly files: ReadonlyMap<string, BundledFile>;
}

/** All of it, read once; null where it has not been built. Throws where it is there and can't be read. */
export function readConsoleBundle(folder: string = BUNDLE_FOLDER): ConsoleBundle | null {
  let text: string;
  try {
    text = readFileSync(join(folder, 'manifest.json'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const { entry, files } = manifestSchema.parse(JSON.parse(text));
  const read = (name: string): Uint8Array => readFileSync(join(folder, name));
  const found = Object.entries(files).map(
    ([name, { type }]) =>
      [
        name,
        { type, encoded: { br: read(`${name}.br`), gzip: read(`${name}.gz`), identity: read(name) } },
      ] as const,
  );
  return Object.freeze({ entry, files: new Map(found) });
}
