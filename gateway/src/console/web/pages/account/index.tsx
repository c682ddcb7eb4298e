/** The user's own ways in, and where they are signed in. */
import type { Account } from '../../../api/account.ts';
import { PATHS } from '../../../api/paths.ts';
import { session } from '../../app/session.ts';
import { Foreign } from '../../components/foreign.tsx';
import { PageHead } from '../common/page-head.tsx';
import { Shown } from '../common/shown.tsx';
import { usePath } from '../common/use-asked.ts';
import { Sessions } from './sessions.tsx';
import { WaysIn } from './ways-in.tsx';

export default function AccountPage() {
  const account = usePath<Account>(PATHS.account);
  const { user, tenant } = session.value;
  return (
    <div class="page">
      <PageHead
        title="Your account"
        lead={
          <>
            <Foreign text={user.email} />, {user.role} of <Foreign text={tenant.name} />
          </>
        }
      />
      <Shown asked={account} what="your account">
        {(value) => (
          <>
            <WaysIn account={value} again={account.again} />
            <Sessions sessions={value.sessions} again={account.again} />
          </>
        )}
      </Shown>
    </div>
  );
}
