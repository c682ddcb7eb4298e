import { expect } from 'chai';
import { UNUSED_REGISTRATION_LIFETIME_S } from '../../src/limits.ts';
import { useStage } from '../support/stage.ts';
import {
  authorize,
  authorized,
  begunSignIn,
  brief,
  codeIn,
  errorOf,
  formOf,
  newBrowser,
  newPkce,
  register,
} from '../support/sign-in.ts';

describe('A client that registered itself', function () {
  this.timeout(90_000);
  const stage = useStage();
  const pkce = newPkce();

  const afterTheTime = async (clientId: string): Promise<string> => {
    stage.clock.forward(UNUSED_REGISTRATION_LIFETIME_S);
    const step = await authorize(stage.two, newBrowser(), { clientId, pkce });
    return step.next.case === 'error' ? brief(errorOf(step)) : 'known';
  };

  it('is forgotten where nobody has let it in', async () => {
    expect(await afterTheTime(await register(stage.one))).to.equal('400 invalid_client');
  });

  it('is forgotten where somebody refused it', async () => {
    const clientId = await register(stage.one);
    const browser = newBrowser();
    const id = await begunSignIn(stage.one, browser, { clientId, pkce });
    await stage.one.login.decideConsent({ form: await formOf(stage.one, browser, id), allow: false });
    expect(await afterTheTime(clientId)).to.equal('400 invalid_client');
  });

  it('stays where somebody let it in', async () => {
    const { one, user, clock } = stage;
    const clientId = await register(one);
    codeIn(await authorized(one, { clientId, pkce, user, clock }));
    expect(await afterTheTime(clientId)).to.equal('known');
  });
});
