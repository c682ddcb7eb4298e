/** A client's secret, this once, and a request that is ready to be run. It stands in the page: no key press closes it. */
import { useEffect, useRef } from 'preact/hooks';
import type { ClientCredentials } from '../../../api/clients.ts';
import { session } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { CopyBlock, CopyButton } from '../../components/copy-button.tsx';
import { Foreign } from '../../components/foreign.tsx';
import { askCatalog } from '../common/catalog.ts';
import { Facts } from '../common/facts.tsx';
import { useAsked } from '../common/use-asked.ts';
import { firstQuery } from '../tables/first-query.ts';
import { curlText } from './curl-text.ts';

/** Where the tenant has no table yet: it answers, and reads nothing. */
const NO_TABLE_QUERY = 'SELECT 1 AS one';

interface SecretCardProps {
  readonly credentials: ClientCredentials;
  readonly onDone: () => void;
}

export function SecretCard({ credentials: { client, clientSecret }, onDone }: SecretCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const catalog = useAsked('catalog', (_key, signal) => askCatalog(signal));
  useEffect(() => heading.current?.focus(), [clientSecret]);
  const sql = (catalog.value === null ? null : firstQuery(catalog.value)) ?? NO_TABLE_QUERY;
  const shown = {
    baseUrl: session.value.urls.base,
    clientId: client.clientId,
    clientSecret,
    scopes: client.scopes,
  };
  return (
    <section class="card secret-card" aria-label="The client's secret">
      <h2 tabIndex={-1} ref={heading}>
        The secret of <Foreign text={client.name} />
      </h2>
      <p>
        It is shown this once and kept nowhere else: it stays here until you say that it is stored. Put it
        where the program finds it.
      </p>
      <Facts
        rows={[
          ['Client ID', <Value text={client.clientId} what="the client ID" />],
          ['Secret', <Value text={clientSecret} what="the secret" />],
        ]}
      />
      <h3>Try it</h3>
      {catalog.isLoading && catalog.value === null ? (
        <p class="muted">Looking for a query that fits your tables…</p>
      ) : (
        <CopyBlock text={curlText(shown, sql)} what="the curl commands" />
      )}
      <div class="actions end">
        <Button kind="primary" onClick={onDone}>
          I have stored it
        </Button>
      </div>
    </section>
  );
}

function Value({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="with-copy">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
