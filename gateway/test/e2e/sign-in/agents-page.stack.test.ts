import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { readDocument } from '../../../../services/auth/src/oauth/client-metadata.ts';
import * as auth from '../../../../services/auth/src/limits.ts';
import * as mcp from '../../../src/mcp/limits.ts';
import { http } from '../support/http.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newTenant } from '../support/tenant.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const agents = readFileSync(join(ROOT, 'gateway/agents.md'), 'utf8');
const limits = readFileSync(join(ROOT, 'services/limits.md'), 'utf8');

const MCP_URL = 'https://mcp.example.com/mcp';

/** The code blocks of a language. */
const blocks = (language: string): string[] =>
  [...agents.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(([, name, text]) =>
    name === language && text !== undefined ? [text] : [],
  );

/** Where the clients that the page lists send their users back to, as they register it. */
const REDIRECTS = [
  'http://localhost:51234/callback',
  'http://127.0.0.1:51234/callback',
  'http://localhost:7777/oauth/callback',
  'http://localhost:3334/oauth/callback',
  'http://127.0.0.1:33418',
  'http://127.0.0.1:33418/',
  'https://vscode.dev/redirect',
  'https://claude.ai/api/mcp/auth_callback',
  'https://chatgpt.com/connector_platform_oauth_redirect',
];

function limit(first: string): string {
  const line = limits.split('\n').find((each) => each.startsWith(`| ${first} `));
  if (line === undefined) throw new Error(`there is no row ${first}`);
  return (line.split('|')[2] ?? '').trim();
}

describe('What the page on agents says', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  before(async () => {
    stack = await sharedStack();
  });

  it('has configurations that are JSON and lead to /mcp', () => {
    const configurations = blocks('json').map((text) => JSON.parse(text) as Record<string, unknown>);
    const ofClients = configurations.filter(({ client_id: clientId }) => clientId === undefined);
    expect(ofClients).to.have.length(3);
    for (const configuration of ofClients) expect(JSON.stringify(configuration)).to.include(`"${MCP_URL}"`);
    expect(blocks('toml').join()).to.include(`url = "${MCP_URL}"`);
  });

  async function registration(redirectUri: string): Promise<number> {
    const { status } = await http('POST', `${stack.mcpUrl}/register`, {
      json: {
        client_name: 'As the page has it',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        // What clients send besides.
        scope: 'query schemas:read offline_access',
        client_uri: 'https://example.com',
        software_id: 'x',
      },
    });
    return status;
  }

  it('lists clients that can register with where they send their users back to', async () => {
    for (const uri of REDIRECTS) expect(await registration(uri), uri).to.equal(201);
    for (const host of ['vscode.dev', 'claude.ai', 'chatgpt.com']) expect(agents).to.include(`\`${host}\``);
  });

  it('tells why Cursor needs something in between', async () => {
    const [cursor = ''] = /cursor:\/\/[\w./-]+/.exec(agents) ?? [];
    expect(await registration(cursor)).to.equal(400);
  });

  it('has a metadata document that is one', () => {
    const document = blocks('json').find((text) => text.includes('"client_id"')) ?? '';
    expect(readDocument(JSON.parse(document))).to.include({ client_name: 'Example agent' });
  });

  it('has commands that call a tool with client credentials', async () => {
    const { credentials } = await newTenant(stack);
    const commands = blocks('sh').find((text) => text.includes('client_credentials')) ?? '';
    const withoutAdmin = commands.split('\n').filter((line) => !line.startsWith('npm run'));
    const { stdout } = await promisify(execFile)('bash', ['-euc', withoutAdmin.join('\n')], {
      env: {
        PATH: process.env['PATH'],
        MCP_URL: stack.mcpUrl,
        CLIENT_ID: credentials.clientId,
        CLIENT_SECRET: credentials.clientSecret,
      },
    });
    expect(stdout).to.include('"structuredContent"').and.to.not.include('isError');
  });

  it('tells the limits that the code has', () => {
    const { SIGN_IN_TRIES, REGISTRATION_TRIES, CLIENT_METADATA, METADATA_DOCUMENT: document } = auth;
    expect(limit('MCP access token')).to.include(`${auth.MCP_ACCESS_TOKEN_LIFETIME_S} s`);
    expect(limit('MCP access token')).to.include(`${auth.MCP_REFRESH_TOKEN_LIFETIME_S / 3600} hours`);
    expect(limit('authorization code')).to.equal(`${auth.AUTHORIZATION_CODE_LIFETIME_S} s, once`);
    expect(limit('a sign-in, from the client to the decision'))
      .to.include(`${auth.INTERACTION_LIFETIME_S / 60} minutes`)
      .and.include(`${auth.BROWSER_SESSION_LIFETIME_S / 3600} hour`);
    expect(limit('wrong sign-ins')).to.include(
      `${SIGN_IN_TRIES.perAccount} for one account and ${SIGN_IN_TRIES.perAddress} in all from one address in ${SIGN_IN_TRIES.windowS / 60} minutes`,
    );
    expect(limit('wrong sign-ins for one account, all over'))
      .to.include(`${auth.STRANGERS_TRIES.perAccount} in ${auth.STRANGERS_TRIES.windowS / 60} minutes`)
      .and.include(`${auth.KNOWN_BROWSER_LIFETIME_S / 86_400} days`);
    expect(limit('a registered client that nobody let in')).to.include(
      `${auth.UNUSED_REGISTRATION_LIFETIME_S / 86_400} days`,
    );
    expect(limit('one-time codes')).to.include(`${auth.TOTP_PERIOD_S} s a step`);
    expect(limit('enrollment link')).to.equal(`${auth.ENROLLMENT_LIFETIME_S / 86_400} days, once`);
    expect(limit('registrations from one address')).to.equal(
      `${REGISTRATION_TRIES.perAddress} in ${REGISTRATION_TRIES.windowS / 60} minutes`,
    );
    expect(limit('registration or metadata of a client')).to.equal(
      `${CLIENT_METADATA.bodyBytesMax / 1024} KiB, ${CLIENT_METADATA.redirectUrisMax} redirect URIs, a name of ${CLIENT_METADATA.nameCharsMax} characters`,
    );
    expect(limit('metadata documents')).to.include(
      `${document.bytesMax / 1024} KiB in ${document.timeoutMs / 1000} s, ${document.perHost} fetches from one host in ${document.perHostWindowS} s; kept for ${document.cacheS.min} s to ${document.cacheS.max / 3600} hours`,
    );
    expect(limit('rows of one `run_sql` call')).to.equal(
      `1 to ${mcp.TOOL_ROWS_MAX}, default ${mcp.DEFAULT_TOOL_ROWS}`,
    );
    expect(limit('tables of one `list_tables` call')).to.include(String(mcp.TABLES_PER_CALL_MAX));
  });
});
