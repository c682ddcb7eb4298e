/** Asks processes whether they are healthy. */
import { get } from 'node:http';
import { text } from 'node:stream/consumers';

const HEALTH_TIMEOUT_MS = 2_000;

/** The body of `/readyz` where nothing is wrong. */
const READY = 'ready\n';

/** Whether a URL is answered with 200. */
export const answers = async (url: string): Promise<boolean> => (await answerOf(url)) !== null;

/** Whether it is, by a process that tells of no problem: one that is ready may tell what it has to do without. */
export const answersReady = async (url: string): Promise<boolean> => (await answerOf(url)) === READY;

/**
 * The body of an answer with 200; null for any other answer. Without fetch, which takes several times the CPU: processes are
 * asked some hundred times while they start.
 */
function answerOf(url: string): Promise<string | null> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: HEALTH_TIMEOUT_MS }, (response) => {
      text(response).then(
        (body) => resolve(response.statusCode === 200 ? body : null),
        () => resolve(null),
      );
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(null));
  });
}
