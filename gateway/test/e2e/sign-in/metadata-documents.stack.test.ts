import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import {
  startDocumentHost,
  type DocumentHost,
} from '../../../../services/auth/test/support/document-host.ts';
import { startAuthWithNetwork } from '../../../../services/auth/test/support/own-network.ts';
import { newUser } from '../../login/support/sign-in.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newTenant } from '../support/tenant.ts';
import { CHROMIUM_TIMEOUT_MS } from './chromium/launch.ts';
import { sharedChromium } from './chromium/shared.ts';
import { listenForCallback, type Callback } from './support/callback.ts';
import { AGENTS } from './support/clients/all.ts';
import { newPerson } from './support/person.ts';
import { startReplicas, type Replicas } from './support/replicas.ts';

describe('An application that a metadata document describes', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let documents: DocumentHost;
  let replicas: Replicas;
  let browser: Browser;
  let callback: Callback;
  let tenantId: string;

  before(async () => {
    documents = await startDocumentHost();
    const stack = await sharedStack();
    [browser, callback] = await Promise.all([sharedChromium(), listenForCallback()]);
    ({ tenantId } = await newTenant(stack));
    replicas = await startReplicas(stack, 1, async (env) => {
      const auth = await startAuthWithNetwork(env, documents.network);
      const restart = (): Promise<never> => Promise.reject(new Error('it runs in this process'));
      return { target: `127.0.0.1:${auth.port}`, restart, close: () => auth.close() };
    });
  });
  after(async () => {
    await callback?.close();
    await replicas?.close();
    await documents?.close();
  });

  for (const [name, newAgent] of Object.entries(AGENTS)) {
    it(`${name}: connects, and the person is told which host vouches for it`, async () => {
      const url = documents.document('/agent.json', {
        client_name: 'Document agent',
        redirect_uris: ['http://127.0.0.1/callback'],
      });
      const { mcpUrl } = replicas;
      const identity = { kind: 'metadata-document', url } as const;
      const agent = newAgent({ mcpUrl, redirectUrl: callback.url, identity });
      const [person, user] = [await newPerson(browser), await newUser(await sharedStack(), tenantId)];
      await agent.connect(async (authorizeUrl) => {
        expect(authorizeUrl.searchParams.get('client_id')).to.equal(url);
        await person.open(authorizeUrl);
        await person.signInWithPassword(user);
        await person.page.getByRole('button', { name: 'Allow' }).waitFor();
        expect(await person.page.getByRole('main').innerText())
          .to.include('Document agent')
          .and.to.include(`Only ${new URL(url).host} vouches for its name`);
        await person.press('Allow');
        return callback.arrival();
      });
      await agent.callTool();
      await agent.refresh();
      await agent.callTool();
      await Promise.all([agent.close(), person.close()]);
    });
  }
});
