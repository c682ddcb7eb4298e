import { ClientIdentity, type ConsentPage, type RequestingClient } from '../../clients/oauth-messages.ts';
import type { Page } from '../document.ts';
import { html, type Html } from '../html.ts';
import type { FormTarget } from '../parts/form-target.ts';
import { hiddenFields } from '../parts/hidden-fields.ts';

const SCOPES: Readonly<Record<string, { readonly title: string; readonly detail: string }>> = Object.freeze({
  query: {
    title: 'Run SQL queries on your tables',
    detail: 'Reads data and uses read capacity in your cloud account. It cannot change or delete anything.',
  },
  'schemas:read': {
    title: 'See your schemas and tables',
    detail: 'Names, columns, keys, indexes and sizes of the tables.',
  },
});

function scopeItem(scope: string): Html {
  const { title, detail } = SCOPES[scope] ?? { title: scope, detail: '' };
  return html`<li>
    <strong>${title}</strong>
    <span class="hint">${detail}</span>
  </li>`;
}

function identityWarning(client: RequestingClient): Html {
  if (client.identity === ClientIdentity.METADATA_DOCUMENT) {
    return html`<li>
      This application is not registered with Penstock. Only
      <bdi class="host">${client.identityHost}</bdi> vouches for its name.
    </li>`;
  }
  return html`<li>This application registered itself. Nobody has verified its name.</li>`;
}

const localhostWarning = html`<li>
  Access goes to a program on this computer, and any program here could use this name. Allow it only if you
  have just started this yourself.
</li>`;

/**
 * The consent page, shown at every authorization. It marks what the client says of itself as the client's own words.
 */
export function consentPage(client: RequestingClient, consent: ConsentPage, target: FormTarget): Page {
  return {
    title: 'Allow access',
    formTarget: client.redirectOrigin,
    body: html`<h1>Allow <bdi class="client">${client.name}</bdi> to use Penstock?</h1>
      <dl class="facts">
        <div>
          <dt>Sends you to</dt>
          <dd><bdi class="host">${client.redirectHost}</bdi></dd>
        </div>
        <div>
          <dt>Signed in as</dt>
          <dd>
            <bdi>${consent.email}</bdi>
            <form method="post" action="${target.action}">
              ${hiddenFields({ ...target.fields, step: 'another-account' })}
              <button type="submit" class="link">Use another account</button>
            </form>
          </dd>
        </div>
        <div>
          <dt>Organization</dt>
          <dd><bdi>${consent.tenantName}</bdi></dd>
        </div>
      </dl>
      <h2>It will be able to</h2>
      <ul class="scopes">
        ${consent.scopes.map(scopeItem)}
      </ul>
      <section class="notice warning" aria-labelledby="warning">
        <h2 id="warning">Check before you allow</h2>
        <ul>
          ${identityWarning(client)} ${client.redirectsToLocalhost ? localhostWarning : null}
        </ul>
      </section>
      <form method="post" action="${target.action}" class="decision">
        ${hiddenFields({ ...target.fields, step: 'decide' })}
        <button type="submit" name="decision" value="deny" class="secondary">Deny</button>
        <button type="submit" name="decision" value="allow" class="primary">Allow</button>
      </form>`,
  };
}
