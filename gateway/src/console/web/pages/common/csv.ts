/** Fields of CSV, as the API's whole results have them (RFC 4180); and for spreadsheets, which take some text for formulas. */

/** Text whose beginning a spreadsheet takes for that of a formula (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** An empty text is quoted: it is not NULL, which is nothing at all. */
export const csvText = (text: string): string =>
  text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Text that no spreadsheet runs: what begins like a formula gets an apostrophe before it. Numbers stay as they are. */
export const inert = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);
