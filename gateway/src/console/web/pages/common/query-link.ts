import { hrefOf } from '../../app/router.ts';

/** A link that opens a query without running it. The text is in the fragment, which no server sees. */
export const queryHref = (sql: string): string => hrefOf(`query#sql=${encodeURIComponent(sql)}`);
