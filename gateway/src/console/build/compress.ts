/** Each file as it is, as gzip and as Brotli: made once, with all the time that the best takes. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { BuiltFile } from './bundle.ts';

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

export async function compressed(files: readonly BuiltFile[]): Promise<readonly BuiltFile[]> {
  const made = files.map(async ({ name, content }) => {
    const [brotli, gzipped] = await Promise.all([
      asBrotli(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
      asGzip(content, { level: constants.Z_BEST_COMPRESSION }),
    ]);
    return [
      { name, content },
      { name: `${name}.br`, content: brotli },
      { name: `${name}.gz`, content: gzipped },
    ];
  });
  return (await Promise.all(made)).flat();
}
