import { useEffect, useRef } from 'preact/hooks';
import type { Invitation } from '../../../api/people.ts';
import { Button } from '../../components/button.tsx';
import { CopyBlock } from '../../components/copy-button.tsx';
import { dateTime } from '../../components/figures.ts';
import { Foreign } from '../../components/foreign.tsx';

/** The link, this once. It stands in the page: no key press closes it. */
export function InvitationCard({
  invitation,
  onDone,
}: {
  readonly invitation: Invitation;
  readonly onDone: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [invitation.enrollUrl]);
  return (
    <section class="card secret-card" aria-label="The link">
      <h2 tabIndex={-1} ref={heading}>
        A link for <Foreign text={invitation.person.email} />
      </h2>
      <p>
        Send it to them and to nobody else: whoever opens it first can sign in as them. It is shown this once,
        works once, and until {dateTime(invitation.expiresAt)}. It lets them set up a passkey, or a password
        with an authenticator app.
      </p>
      <CopyBlock text={invitation.enrollUrl} what="the link" />
      <div class="actions end">
        <Button kind="primary" onClick={onDone}>
          I have sent it
        </Button>
      </div>
    </section>
  );
}
