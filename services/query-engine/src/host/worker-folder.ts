/** Where in its host's folder a worker's files are. */
import { join } from 'node:path';

export const workerFolder = (hostFolder: string, worker: number): string =>
  join(hostFolder, `worker-${worker}`);

/** The record of its work. */
export const WORK_RECORD = 'work';
/** What it spills. */
export const SPILLED = 'spill';
