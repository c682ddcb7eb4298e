import { CONSOLE_HEADER, CONSOLE_HEADER_VALUE } from '../../api/protocol.ts';

/** What each request carries, so that no foreign page can send one: a form or an image can't set a header. */
export const SESSION_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  [CONSOLE_HEADER]: CONSOLE_HEADER_VALUE,
});
