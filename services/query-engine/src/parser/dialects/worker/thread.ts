/** The thread in which statements of other dialects are read: it may hang, or run out of memory, and is ended then. */
import { parentPort } from 'node:worker_threads';
import { loadGrammars } from '../package/read.ts';
import { translationsOf } from '../translations-of.ts';
import type { TranslationAnswer, TranslationRequest } from './messages.ts';

const port = parentPort;
if (port === null) throw new Error('this file is a worker thread');

const answer = (message: TranslationAnswer): void => port.postMessage(message);

/** Whatever goes wrong, the error without an offer is right. */
const translated = async ({ id, sql }: TranslationRequest): Promise<TranslationAnswer> => ({
  kind: 'translated',
  id,
  translations: await translationsOf(sql).catch(() => []),
});

port.on('message', (request: TranslationRequest) => void translated(request).then(answer));
// No statement's time is spent on this.
await loadGrammars();
answer({ kind: 'ready' });
