/** The only two ways in which a name or a value becomes part of a statement. */

/** An identifier, always in quotes. PostgreSQL holds no NUL and no empty name: see names.ts. */
export const quoteIdent = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A text. The backslash is an ordinary character, whatever standard_conforming_strings is: none is written as it is. */
export const quoteLiteral = (text: string): string =>
  text.includes('\\')
    ? `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    : `'${text.replaceAll("'", "''")}'`;
