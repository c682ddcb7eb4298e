/** What a session that has set nothing is told of its settings: the same for all, so no server has to be asked. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BUILT_FOLDER } from './process-folder.ts';

const parameters = z.record(z.string(), z.string());

/** By name, as ParameterStatus tells them. Rejects where the servers' program was not built. */
export async function reportedParameters(builtFolder = BUILT_FOLDER): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(builtFolder, 'parameters.json'), 'utf8').catch((cause: unknown) => {
    throw new Error('the program of the PostgreSQL servers is not there: run `make install`', { cause });
  });
  return new Map(Object.entries(parameters.parse(JSON.parse(text))));
}
