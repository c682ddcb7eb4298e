/** A browser without JavaScript: cookies, redirects one by one, and forms as they stand in the page. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { admin } from '../../../../deploy/local/src/seed/admin.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';

export const redirectUri = 'http://127.0.0.1:3000/callback';

export const registration = {
  client_name: 'Test agent',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

export const password = 'correct horse battery staple';

export interface TestUser {
  readonly userId: string;
  readonly email: string;
  readonly totpSecret: string;
  readonly enrollUrl: string;
}

export async function newUser(
  stack: RunningStack,
  tenantId: string,
  secondFactor: 'now' | 'at-sign-in' = 'now',
  role: 'admin' | 'member' = 'member',
): Promise<TestUser> {
  const email = `user-${randomUUID()}@example.com`;
  const flags = ['--tenant', tenantId, '--email', email, '--role', role, `--password=${password}`];
  const made = await admin<TestUser>(
    stack.dataDir,
    'user',
    'create',
    ...flags,
    '--second-factor',
    secondFactor,
  );
  return { ...made, email };
}

/** The code that an authenticator app shows now. */
export const codeOf = (totpSecret: string): string =>
  new TOTP({ secret: Secret.fromBase32(totpSecret) }).generate();

export async function register(stack: RunningStack, change: object = {}): Promise<string> {
  const answer = await fetch(`${stack.mcpUrl}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...registration, ...change }),
  });
  if (answer.status !== 201) throw new Error(`not registered: ${await answer.text()}`);
  return ((await answer.json()) as { client_id: string }).client_id;
}

export interface Flow {
  readonly clientId: string;
  readonly verifier: string;
  readonly authorizeUrl: string;
}

export function newFlow(stack: RunningStack, clientId: string, change: Record<string, string> = {}): Flow {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'state-1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${stack.mcpUrl}/mcp`,
    ...change,
  });
  return { clientId, verifier, authorizeUrl: `${stack.mcpUrl}/authorize?${query.toString()}` };
}

export interface View {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Browser {
  readonly jar: Map<string, string>;
  /** Follows redirects within the site; one that leaves it is where it ends. */
  open(url: string): Promise<View>;
  /** JSON for navigator.credentials, as the page's script asks for it. */
  passkeyOptions(view: View): Promise<string>;
  /** Sends the page's form of that step, with its hidden fields. */
  submit(view: View, step: string, fields?: Record<string, string>): Promise<View>;
}

export function newBrowser(site: string): Browser {
  const jar = new Map<string, string>();
  const take = (headers: Headers): void => {
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/Max-Age=0/.test(line)) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
  };
  const request = async (url: string, body?: URLSearchParams): Promise<View> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    take(answer.headers);
    const location = answer.headers.get('location');
    if (answer.status !== 303 || location === null) {
      return { url, status: answer.status, headers: answer.headers, text: await answer.text() };
    }
    const next = new URL(location, url).href;
    if (next.startsWith(`${site}/`)) return request(next);
    return { url: next, status: 303, headers: answer.headers, text: '' };
  };
  return {
    jar,
    open: (url) => request(url),
    passkeyOptions: async (view) => {
      const form = formsOf(view.text).find(({ fields }) => fields['step'] === 'passkey');
      if (form === undefined) throw new Error('the page has no form for passkeys');
      return (await request(new URL(form.optionsUrl, view.url).href, new URLSearchParams(form.fields))).text;
    },
    submit: async (view, step, fields = {}) => {
      const form = formsOf(view.text).find((candidate) => candidate.fields['step'] === step);
      if (form === undefined) throw new Error(`the page at ${view.status} has no form for ${step}`);
      const body = new URLSearchParams({ ...form.fields, ...fields });
      return request(new URL(form.action, view.url).href, body);
    },
  };
}

interface FoundForm {
  readonly action: string;
  /** Empty where it is no form for passkeys. */
  readonly optionsUrl: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Forms with their hidden fields. */
export function formsOf(text: string): FoundForm[] {
  return [...text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', content = '']) => ({
    action: /action="([^"]*)"/.exec(attributes)?.[1]?.replaceAll('&amp;', '&') ?? '',
    optionsUrl: /data-options="([^"]*)"/.exec(attributes)?.[1]?.replaceAll('&amp;', '&') ?? '',
    fields: Object.fromEntries(
      [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    ),
  }));
}
