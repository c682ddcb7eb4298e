/** The catalog as a worker has it: its host asks the registry, for all workers and with the caller's token. */
import type { CatalogTable } from '../catalog/table.ts';
import type { CatalogClient } from '../clients/catalog-client.ts';
import { resolutionsOf } from '../clients/host-tables.ts';
import type { TableAnswer } from '../pipe/messages.ts';
import { queryOfToken, type HostLink } from './host-link.ts';

export function hostCatalogClient(
  link: Pick<HostLink, 'ask' | 'tell'>,
): Pick<CatalogClient<CatalogTable>, 'resolve' | 'report'> {
  return {
    async resolve({ token, signal }, references, maySample) {
      const question = { what: 'tables', references, maySample } as const;
      const { answer, bytes } = await link.ask(queryOfToken(token), question, signal);
      return resolutionsOf(answer as readonly TableAnswer[], bytes);
    },
    async report({ token }, found) {
      link.tell({ kind: 'found', query: queryOfToken(token), found });
    },
  };
}
