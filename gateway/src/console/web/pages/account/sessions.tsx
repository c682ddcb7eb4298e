import { useState } from 'preact/hooks';
import type { Session } from '../../../api/account.ts';
import { sessionPath } from '../../../api/paths.ts';
import type { Deleted } from '../../../api/session.ts';
import { signOut } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Foreign } from '../../components/foreign.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { ask } from '../../net/request.ts';
import { Moment } from '../common/moment.tsx';
import { useAction } from '../common/use-action.ts';
import { browserName } from './browser-name.ts';

interface SessionsProps {
  readonly sessions: readonly Session[];
  readonly again: () => Promise<void>;
}

/** Browsers that are signed in, each to be ended. */
export function Sessions({ sessions, again }: SessionsProps) {
  const [isAsking, setAsking] = useState(false);
  const end = useAction((sessionId: string) => ask<Deleted>(sessionPath(sessionId), { method: 'DELETE' }));
  return (
    <section class="card" aria-label="Where you are signed in">
      <div class="card-head">
        <h2>Where you are signed in</h2>
        <Button small kind="danger" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      </div>
      {end.problem === null ? null : <ProblemNotice problem={end.problem} />}
      <ul class="ways">
        {sessions.map((session) => (
          <li key={session.sessionId}>
            <span>
              <Foreign text={browserName(session.userAgent)} />
              {session.current ? <span class="badge good">this browser</span> : null}
              <span class="hint block">
                since <Moment at={session.signedInAt} />, used <Moment at={session.lastUsedAt} />
              </span>
            </span>
            {session.current ? null : (
              <Button
                small
                disabled={end.isBusy}
                aria-label={`End the session of ${browserName(session.userAgent)}`}
                onClick={() =>
                  void end.run(session.sessionId).then((ended) => (ended === null ? undefined : again()))
                }
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isAsking ? (
        <ConfirmDialog
          title="Sign out everywhere?"
          action="Sign out everywhere"
          onConfirm={() => signOut('everywhere')}
          onClose={() => setAsking(false)}
        >
          <p>
            All of your sessions end within seconds, this one too. Agents that you allowed are on the Agents
            page.
          </p>
        </ConfirmDialog>
      ) : null}
    </section>
  );
}
