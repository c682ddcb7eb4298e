/** Asks a session's backend something of our own, within whatever is under way there, and leaves nothing behind. */
import type { BackendConnection } from './connect.ts';
import { cellsOf, ServerError, type Frame } from './frames.ts';
import * as requests from './requests.ts';

/** A name that no client's statement has: it is there for the time of one question. */
const QUESTION = 'penstock: question';

/**
 * Rows in text format. `isAside` hands on what is no answer. Rejects with ServerError: what follows is then skipped up to the
 * next Sync.
 */
export async function ask(
  connection: BackendConnection,
  sql: string,
  values: readonly string[],
  isAside: (frame: Frame) => boolean,
): Promise<readonly (readonly (string | null)[])[]> {
  const parameters = values.map((value) => Buffer.from(value));
  const bound = {
    portal: QUESTION,
    statement: QUESTION,
    parameterFormats: [],
    parameters,
    resultFormats: [],
  };
  const ended = requests.close('statement', QUESTION);
  connection.send(
    // A question that failed has left its statement, if not its portal.
    ...[ended, requests.parse(QUESTION, sql), requests.bind(bound), requests.execute(QUESTION, 0)],
    ...[requests.close('portal', QUESTION), ended, requests.FLUSH],
  );
  const rows: (readonly (string | null)[])[] = [];
  for (let closed = 0; closed < 3;) {
    const frame = await connection.next();
    if (frame.type === 'E') throw new ServerError(frame);
    if (frame.type === 'D') rows.push(cellsOf(frame));
    if (frame.type === '3') closed++;
    else isAside(frame);
  }
  return rows;
}

/** Ends what was asked in a batch; gives it up where an error had been. */
export async function synced(
  connection: BackendConnection,
  isAside: (frame: Frame) => boolean,
): Promise<void> {
  connection.send(requests.SYNC);
  for (let frame = await connection.next(); frame.type !== 'Z'; frame = await connection.next())
    isAside(frame);
}
