import { Button } from '../components/button.tsx';
import { isAway, waiting } from '../net/connection.ts';
import { renewSession } from './session.ts';

/** Says that Penstock does not answer, for as long as it does not, and whether anything is tried again. */
export function ConnectionBar() {
  return (
    <div role="status" class="connection">
      {isAway.value ? (
        <p class="connection-bar">
          Penstock does not answer at the moment.{' '}
          {waiting.value > 0 ? (
            'What you asked for is tried again by itself.'
          ) : (
            <>
              Nothing is tried again by itself now.{' '}
              <Button small onClick={() => void renewSession()}>
                Look again
              </Button>
            </>
          )}
        </p>
      ) : null}
    </div>
  );
}
